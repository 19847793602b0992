/** Buttons that copy a command: shown only where copying works. */

const SAID_MS = 2000;

/** Makes every `[data-copy]` of the page work, those drawn later too. */
export function listenForCopies(): void {
  if (navigator.clipboard === undefined) return;
  document.documentElement.classList.add("can-copy");
  document.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
    if (button === null) return;
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy ?? "");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => {
      button.textContent = said;
    }, SAID_MS);
  });
}
