import type { JSX } from "preact";
import { safeText } from "../../lib/picture/text.ts";

/** Text that a stranger wrote: no control or bidi characters, and its own direction whatever stands around it. */
export const Text = ({ children }: { readonly children: string }): JSX.Element => (
  <bdi class="text">{safeText(children)}</bdi>
);

/** Words for screen readers alone. */
export const Hidden = ({ children }: { readonly children: string }): JSX.Element => (
  <span class="hidden">{children}</span>
);
