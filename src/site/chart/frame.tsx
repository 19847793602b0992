import type { ComponentChildren, JSX } from "preact";
import { LAYOUTS, type Layout } from "./layout.ts";

/** What all charts have around their marks. */

/** What a chart's table holds, as `Figure` takes it; the first column names the row. */
export interface ChartTable {
  readonly columns: readonly { readonly title: string; readonly side?: "left" | "right" }[];
  readonly rows: readonly (readonly string[])[];
}

interface FrameProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** What there is to see, in words. */
  readonly description: string;
  readonly heightOf: (layout: Layout) => number;
  readonly draw: (layout: Layout, id: string) => ComponentChildren;
  readonly tips?: readonly TipText[];
}

export interface TipText {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * A chart in both layouts, of which CSS shows the one for the width of its container. What is not shown is neither read
 * aloud nor reached by keyboard.
 */
export const Frame = ({ id, title, description, heightOf, draw, tips = [] }: FrameProps): JSX.Element => (
  <div class="chart">
    {LAYOUTS.map((layout) => {
      const own = `${id}-${layout.id}`;
      return (
        // biome-ignore lint/a11y/useSemanticElements: a drawing whose marks can be reached is a group, and SVG has no element for it.
        <svg
          key={layout.id}
          class={`chart-${layout.id}`}
          viewBox={`0 0 ${layout.width} ${heightOf(layout)}`}
          role="group"
          aria-labelledby={`${own}-title`}
          aria-describedby={`${own}-desc`}
        >
          {/* In a group of its own, since browsers would show it as the tip of everything around it. */}
          <g>
            <title id={`${own}-title`}>{title}</title>
            <desc id={`${own}-desc`}>{description}</desc>
          </g>
          {draw(layout, own)}
        </svg>
      );
    })}
    {tips.map((tip) => (
      <div key={tip.id} id={tip.id} class="tip-text" popover="manual">
        <strong>
          <bdi>{tip.title}</bdi>
        </strong>
        {tip.lines.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </div>
    ))}
  </div>
);

interface MarkProps {
  readonly href: string | null;
  /** All of the mark in words. */
  readonly label: string;
  /** Id of its tip. */
  readonly tip: string;
  /** Whether the keyboard reaches a mark that leads nowhere. */
  readonly focusable?: boolean;
  readonly kind: string;
  readonly children: ComponentChildren;
}

/** One datum: a link where it leads somewhere, else a picture with words. */
export function Mark({ href, label, tip, focusable = false, kind, children }: MarkProps): JSX.Element {
  const shared = {
    class: `chart-mark ${kind}`,
    "aria-label": label,
    "data-tip": tip,
  };
  if (href !== null)
    return (
      <a {...shared} href={href}>
        {children}
      </a>
    );
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a group of shapes is not interactive by itself.
    <g {...shared} role="img" {...(focusable ? { tabindex: 0 } : {})}>
      {children}
    </g>
  );
}

/** Shapes and words that the marks' own words say already. */
export const Unread = ({
  kind,
  fontSize,
  children,
}: {
  readonly kind: string;
  readonly fontSize?: number;
  readonly children: ComponentChildren;
}): JSX.Element => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
  <g class={kind} font-size={fontSize} aria-hidden="true">
    {children}
  </g>
);

/** Stands in place of a chart that has nothing to draw. */
export const NothingToDraw = ({ why }: { readonly why: string }): JSX.Element => <p class="none">{why}</p>;
