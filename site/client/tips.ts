/** What tips say, shown beside them on hover and focus; Escape takes it away, and it stays while the pointer is on it. */

const GAP = 6;
const LINGER_MS = 120;

let shown: HTMLElement | null = null;
let owned: HTMLElement | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;

const ownerOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;

const isTip = (target: EventTarget | null): boolean =>
  target instanceof Node && shown !== null && shown.contains(target);

function hide(): void {
  clearTimeout(leaving);
  if (shown?.isConnected === true && shown.matches(":popover-open")) shown.hidePopover();
  shown = null;
}

function show(owner: HTMLElement): void {
  const tip = document.getElementById(owner.dataset.tip ?? "");
  clearTimeout(leaving);
  if (tip === null || tip === shown) return;
  hide();
  tip.showPopover();
  shown = tip;
  owned = owner;
  place();
}

/** Puts what is shown beside its owner: below it, or above where there is no room. */
function place(): void {
  if (shown === null || owned === null) return;
  const tip = shown;
  const beside = owned.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(beside.left, document.documentElement.clientWidth - size.width - GAP));
  const below = beside.bottom + GAP;
  const fits = below + size.height <= document.documentElement.clientHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${fits ? below : Math.max(GAP, beside.top - GAP - size.height)}px`;
}

const leave = (): void => {
  clearTimeout(leaving);
  leaving = setTimeout(hide, LINGER_MS);
};

/** Listens on the whole page, so that what is drawn later has tips as well. */
export function listenForTips(): void {
  document.addEventListener("pointerover", ({ target }) => {
    const owner = ownerOf(target);
    if (owner !== null) show(owner);
    else if (isTip(target)) clearTimeout(leaving);
    else if (shown !== null) leave();
  });
  document.addEventListener("focusin", ({ target }) => {
    const owner = ownerOf(target);
    if (owner !== null) show(owner);
    else if (!isTip(target)) hide();
  });
  document.addEventListener("click", ({ target }) => {
    const owner = ownerOf(target);
    if (owner !== null) show(owner);
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || shown === null) return;
      hide();
      // Only the tip goes, not what it lies on as well.
      event.stopPropagation();
      event.preventDefault();
    },
    { capture: true },
  );
  document.addEventListener("scroll", place, { capture: true, passive: true });
}
