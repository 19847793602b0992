import MarkdownIt from "markdown-it";

/** GitHub's comment column, about 760 px wide, in light and dark; nothing is loaded from elsewhere. */
const STYLE = `
:root { color-scheme: light dark; --fg: #1f2328; --bg: #fff; --line: #d1d9e0; --soft: #f6f8fa; --link: #0969da; }
@media (prefers-color-scheme: dark) { :root { --fg: #f0f6fc; --bg: #0d1117; --line: #3d444d; --soft: #151b23; --link: #4493f8; } }
body { margin: 0 auto; padding: 1rem; max-width: 760px; color: var(--fg); background: var(--bg); font: 14px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
article { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 1rem; }
article > header { padding: .5rem 1rem; background: var(--soft); border-bottom: 1px solid var(--line); border-radius: 6px 6px 0 0; }
article > div { padding: 0 1rem; }
table { display: block; overflow: auto; width: max-content; max-width: 100%; border-collapse: collapse; }
th, td { padding: 6px 13px; border: 1px solid var(--line); }
code { padding: .2em .4em; background: var(--soft); border-radius: 6px; font: 12px ui-monospace, monospace; white-space: break-spaces; }
pre { padding: 1rem; overflow: auto; background: var(--soft); border-radius: 6px; } pre code { padding: 0; white-space: pre; }
blockquote { margin: 0; padding: 0 1em; border-left: .25em solid var(--line); }
a { color: var(--link); } hr { border: 0; border-top: 2px solid var(--line); }
`;

export interface ShownComment {
  readonly author: string;
  readonly body: string;
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A pull request's conversation as one self-contained page, close to what GitHub shows. */
export function commentPage(title: string, comments: readonly ShownComment[]): string {
  // GitHub renders the HTML subset that comments use (details, summary, sub); so does this page.
  const markdown = new MarkdownIt({ html: true, linkify: false });
  const articles = comments.map(
    ({ author, body }) =>
      `<article><header><strong>${escapeHtml(author)}</strong></header><div>${markdown.render(body)}</div></article>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<main><h1>${escapeHtml(title)}</h1>
${articles.join("\n")}
</main>
</html>
`;
}
