import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface TipProps {
  /** What is shown on hover and focus. Whatever is only here must be in a table or text of the page as well. */
  readonly text: ComponentChildren;
  readonly children: ComponentChildren;
  /** What a press does beside showing the text. */
  readonly onClick?: () => void;
}

/**
 * Something with more to say. The client shows the text beside it on hover and focus, keeps it while the pointer is on it,
 * and Escape takes it away; screen readers get it as the description.
 */
export function Tip({ text, children, onClick }: TipProps): JSX.Element {
  const id = useId();
  return (
    <span class="tip">
      <button type="button" class="tip-on" aria-describedby={id} data-tip={id} onClick={onClick}>
        {children}
      </button>
      <span role="tooltip" id={id} class="tip-text" popover="manual">
        {text}
      </span>
    </span>
  );
}
