import MarkdownIt from "markdown-it";
import { type SiteInfo, sourceAddress } from "../site-info.ts";
import type { Page } from "../ui/document.tsx";

export const CODE_METHODOLOGY_PATH = "methodology/code.html";

/**
 * `METHODOLOGY.md` as a page: its links lead to the files at the commit of the site, and where the hoster is not known
 * only their words stay.
 */
export const codeMethodologyPage = (markdown: string, site: SiteInfo): Page => ({
  path: CODE_METHODOLOGY_PATH,
  title: "Methodology of the code benchmark",
  description: "How every number of the code benchmark comes about, and what is known to be wrong with it.",
  section: "methodology",
  body: <div class="prose" dangerouslySetInnerHTML={{ __html: renderMarkdown(markdown, site) }} />,
});

/** Anchor of a heading, as hosters make it. */
export const headingAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .trim()
    .replaceAll(" ", "-");

/** Markdown of this repository as HTML. Raw HTML in it is shown as text. */
export function renderMarkdown(markdown: string, site: SiteInfo): string {
  const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { rules } = parser.renderer;
  let heading = "";
  let tables = 0;
  rules.heading_open = (tokens, at, _options, _env, self) => {
    const token = tokens[at];
    const title = tokens[at + 1]?.content ?? "";
    heading = title;
    if (token !== undefined) token.attrSet("id", headingAnchor(title));
    return token === undefined ? "" : self.renderToken(tokens, at, {});
  };
  rules.table_open = () => {
    const label = parser.utils.escapeHtml(`${heading}, table ${++tables}`);
    return `<section class="scroll" aria-label="${label}" tabindex="0"><table>\n`;
  };
  rules.table_close = () => "</table></section>\n";
  rules.th_open = () => '<th scope="col">';
  parser.core.ruler.push("links", (state) => {
    for (const { children } of state.tokens)
      for (const token of children ?? []) {
        if (token.type !== "link_open") continue;
        const address = addressOf(String(token.attrGet("href") ?? ""), site);
        if (address === null) token.attrs = null;
        else token.attrSet("href", address);
      }
  });
  return parser.render(markdown);
}

/** Where a link of a file at the repository's root leads on the site; null when nowhere. */
function addressOf(link: string, site: SiteInfo): string | null {
  if (link.startsWith("#") || link.startsWith("https://")) return link;
  const [path = "", fragment] = link.split("#");
  const address = sourceAddress(site, path);
  return address === null || fragment === undefined ? address : `${address}#${fragment}`;
}
