/** States of the code board that look different from its first view: a task, a lead with a budget, what lies open over it. */
export const BOARD_VIEWS = [
  "code/index.html?task=synthetic-range-coder&show=all",
  "code/index.html?task=synthetic-kernels&run=1",
  "code/index.html?lead=basalt-sol-6%40max&budget=1&by=council",
  "code/index.html?of=basalt-sol-6%40max",
  "code/index.html?entry=synthetic-range-coder-l1-r1%2Fe01",
] as const;

/** Of many pages of one kind so many are looked at. */
const EACH_KIND = 2;

/**
 * The views of a site that are worth a look: every page, but of results and members the first ones only, and states of the
 * code board where it has the synthetic round.
 * @param pages paths of the site's pages
 */
export function viewsOf(pages: readonly string[], synthetic: boolean): string[] {
  const seen = new Map<string, number>();
  const chosen = pages.toSorted().filter((path) => {
    const kind = path.includes("/results/") || path.includes("/members/") ? path.replace(/[^/]+$/, "") : path;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count <= EACH_KIND;
  });
  return [...chosen, ...(synthetic ? BOARD_VIEWS : [])];
}
