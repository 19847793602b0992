import type { ComponentChildren, JSX } from "preact";

interface ScrollProps {
  /** What is in it, for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A region that scrolls sideways where the page is narrower than what it holds. */
export const Scroll = ({ label, children }: ScrollProps): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable with the keyboard.
  <section class="scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
