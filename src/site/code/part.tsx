import type { ComponentChildren, JSX } from "preact";

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A part of the board, under its heading. */
export const Part = ({ id, title, children }: PartProps): JSX.Element => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** `1 task`, `3 tasks`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
