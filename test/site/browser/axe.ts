import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe says against the page as it stands, a line a node. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Result[], string[]>(async (values) => {
    const runner = (globalThis as unknown as { axe: typeof axe }).axe;
    return (await runner.run(document, { runOnly: { type: "tag", values } })).violations;
  }, TAGS);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
}
