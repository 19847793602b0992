import type { JSX } from "preact";

/** A command to run, with a button that copies it, which shows where copying works. */
export const CommandLine = ({ command }: { readonly command: string }): JSX.Element => (
  <span class="command">
    <code>{command}</code>
    <button type="button" class="copy" data-copy={command}>
      Copy
    </button>
  </span>
);
