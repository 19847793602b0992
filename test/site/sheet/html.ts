/** A page as a tree of elements: enough of HTML for what the renderer writes, where all text is escaped. */

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const VOID = new Set(["meta", "link", "input", "br", "img", "hr"]);
const TOKEN = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/gy;

const plain = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** @throws Error for markup that does not nest. */
export function parseHtml(html: string): Element {
  const root: Element = { tag: "", attributes: {}, children: [] };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < html.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(html);
    if (match === null) throw new Error(`no HTML: ${html.slice(at, at + 80)}`);
    const [, close, tag, attributes = "", self, text] = match;
    const parent = open[open.length - 1] as Element;
    if (text !== undefined) parent.children.push(plain(text));
    else if (tag === undefined) continue;
    else if (close === "/") {
      if (open.length < 2 || parent.tag !== tag) throw new Error(`</${tag}> closes <${parent.tag}>`);
      open.pop();
    } else {
      const element: Element = { tag, attributes: readAttributes(attributes), children: [] };
      parent.children.push(element);
      if (self !== "/" && !VOID.has(tag)) open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`<${open[open.length - 1]?.tag}> is not closed`);
  return root;
}

const readAttributes = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([^\s=>"/]+)(?:="([^"]*)")?/g)].map(([, name = "", value = ""]) => [
      name,
      plain(value),
    ]),
  );

/** The element itself and all below it, in document order, that the test accepts. */
export function findAll(from: Element, test: (element: Element) => boolean): Element[] {
  const below = from.children.flatMap((child) => (typeof child === "string" ? [] : findAll(child, test)));
  return test(from) ? [from, ...below] : below;
}

export const byTag = (from: Element, ...tags: string[]): Element[] =>
  findAll(from, ({ tag }) => tags.includes(tag));

export const textOf = (element: Element): string =>
  element.children
    .map((child) => (typeof child === "string" ? child : textOf(child)))
    .join("")
    .replace(/\s+/g, " ");

/** Rows of the table whose caption begins so, as texts. */
export function tableOf(page: Element, caption: string): string[][] {
  const table = byTag(page, "table").find((candidate) =>
    byTag(candidate, "caption").some((found) => textOf(found).startsWith(caption)),
  );
  if (table === undefined) throw new Error(`no table "${caption}"`);
  return byTag(table, "tr").map((row) =>
    row.children.flatMap((child) => (typeof child === "string" ? [] : [textOf(child).trim()])),
  );
}
