import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface PanelProps {
  /** What is in it; another key is another content, which begins at its top. */
  readonly contentKey: string;
  readonly onClose: () => void;
  /** Its heading has the id `panel-title`. */
  readonly children: ComponentChildren;
}

/** What lies over the board: the rest waits while it is open, Escape closes it, and the focus goes back to where it was. */
export function SidePanel({ contentKey, onClose, children }: PanelProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    if (current?.open === false) current.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={dialog} class="panel" aria-labelledby="panel-title" onClose={onClose}>
      <div class="panel-top">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
      <div class="panel-body" key={contentKey}>
        {children}
      </div>
    </dialog>
  );
}
