import { describe, expect, it } from "vitest";
import { commentPage } from "../../../rehearsal/show/comment-page.ts";
import { commentText } from "../../../rehearsal/show/comment-text.ts";

const show = (markdown: string, width = 80): string[] => commentText(markdown, { width, colour: false });

describe("a comment in the terminal", () => {
  it("aligns tables and leaves the delimiter row out", () => {
    expect(show("| Metric | Claimed |\n|---|--:|\n| `composite` | **0.9** |")).toEqual([
      "Metric     Claimed",
      "composite  0.9",
    ]);
  });

  it("keeps an escaped bar inside its cell", () => {
    expect(show("| a | b |\n|---|---|\n| x \\| y | z |")[1]).toBe("x | y  z");
  });

  it("folds details to their summary, also when nested", () => {
    const lines = show(
      "before\n<details>\n<summary>20 rows</summary>\n\n| a |\n|---|\n| 1 |\n\n</details>\n\nafter",
    );
    expect(lines).toEqual(["before", "▸ 20 rows", "", "after"]);
  });

  it("hides the marker and never passes control sequences on", () => {
    expect(show("<!-- assay:report -->\nok \u001b[31mred\u001b[0m")).toEqual(["ok red"]);
  });

  it("keeps code blocks as they are, without their fences", () => {
    expect(show("```sh\nnpm run x -- `a`\n```\nafter", 10)).toEqual(["    npm run x -- `a`", "after"]);
  });

  it("keeps angle brackets inside code, and takes off only the tags that comments use", () => {
    expect(show("put it at `results/<suite>/<time>.json` <sub>small</sub> **now**")).toEqual([
      "put it at results/<suite>/<time>.json small now",
    ]);
  });

  it("wraps at words and keeps to the width", () => {
    const lines = show(`- ${"word ".repeat(40)}`, 30);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
  });
});

describe("a comment as a page", () => {
  it("escapes what is not the comment's own Markdown and loads nothing", () => {
    const page = commentPage("#1 <script>", [{ author: "a<b", body: "**hi**" }]);
    expect(page).toContain("#1 &lt;script&gt;");
    expect(page).toContain("a&lt;b");
    expect(page).toContain("<strong>hi</strong>");
    expect(page).not.toMatch(/(src|href)="https?:/);
  });
});
