import MarkdownIt from "markdown-it";
import { fromMarkdown } from "mdast-util-from-markdown";

/** Two parsers look at Markdown that the bot wrote; both must find only what the bot itself put there. */

const OWN_HTML = [
  /^<!-- assay:(result|reply|loop|jobs) [a-z0-9= ]+ -->$/,
  /^<details><summary>[^<>]*<\/summary>$/,
  /^<\/details>$/,
];

const FORBIDDEN_TEXT: readonly [string, RegExp][] = [
  ["mention", /(^|[^\w`])@[A-Za-z0-9]/],
  ["issue reference", /(^|[^\w&])#\d|GH-\d/],
  ["bare address", /https?:\/\/|www\./i],
  ["control or bidi character", /(?!\n)[\p{Cc}\p{Cf}]/u],
];

/** The links that are ours: to this repository's page of findings, its workflow runs and its pull requests. */
const OWN_LINK = [
  "blob/(?:[0-9a-f]{40}|HEAD)/docs/findings\\.md#[a-z0-9]+(?:-[a-z0-9]+)*",
  "actions/runs/[0-9]+",
  "pull/[0-9]+",
].join("|");
const ownLinks = (repositoryUrl: string | null): RegExp | null =>
  repositoryUrl === null
    ? null
    : new RegExp(`^${repositoryUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}/(?:${OWN_LINK})$`);

interface Node {
  url?: string;
  type: string;
  value?: string;
  children?: Node[];
}

/** Every surprise in the text, in words; empty when it is safe. Without `repositoryUrl` there may be no link at all. */
export function surprises(markdown: string, repositoryUrl: string | null = null): string[] {
  const found: string[] = [];
  const own = ownLinks(repositoryUrl);
  const html = (value: string, parser: string): void => {
    for (const line of value.split("\n").filter((part) => part.trim() !== "")) {
      if (!OWN_HTML.some((pattern) => pattern.test(line.trim()))) found.push(`${parser} html: ${line}`);
    }
  };
  const plain = (value: string, parser: string): void => {
    for (const [what, pattern] of FORBIDDEN_TEXT)
      if (pattern.test(value)) found.push(`${parser} ${what}: ${value}`);
  };
  const walk = (node: Node): void => {
    if (node.type === "link" && own?.test(node.url ?? "") === true) {
      for (const child of node.children ?? []) walk(child);
      return;
    }
    if (
      ["link", "image", "linkReference", "imageReference", "definition", "footnoteReference"].includes(
        node.type,
      )
    ) {
      found.push(`mdast ${node.type}`);
    }
    if (node.type === "html") html(node.value ?? "", "mdast");
    if (node.type === "text") plain(node.value ?? "", "mdast");
    for (const child of node.children ?? []) walk(child);
  };
  walk(fromMarkdown(markdown) as Node);
  const parser = new MarkdownIt({ html: true, linkify: true, typographer: false });
  for (const token of parser.parse(markdown, {})) {
    if (token.type === "html_block") html(token.content, "markdown-it");
    for (const child of token.children ?? []) {
      if (child.type === "link_open" && own?.test(String(child.attrGet("href"))) === true) continue;
      if (["link_open", "image"].includes(child.type)) found.push(`markdown-it ${child.type}`);
      if (child.type === "html_inline") html(child.content, "markdown-it");
      if (child.type === "text") plain(child.content, "markdown-it");
    }
  }
  const count = (pattern: RegExp): number => [...markdown.matchAll(pattern)].length;
  if (count(/^<details>/gm) !== count(/^<\/details>$/gm)) found.push("a fold is left open");
  if (count(/^```sh$/gm) !== count(/^```$/gm)) found.push("a fence is left open");
  return found;
}

/** Cells per row of every table, as markdown-it sees them: rows of one table must agree. */
export function raggedTables(markdown: string): string[] {
  const ragged: string[] = [];
  let expected = 0;
  let cells = 0;
  for (const token of new MarkdownIt({ html: true }).parse(markdown, {})) {
    if (token.type === "table_open") expected = 0;
    if (token.type === "tr_open") cells = 0;
    if (token.type === "th_open" || token.type === "td_open") cells += 1;
    if (token.type === "tr_close") {
      if (expected === 0) expected = cells;
      else if (expected !== cells) ragged.push(`${cells} cells instead of ${expected}`);
    }
  }
  return ragged;
}

/** Columns of the widest table; 0 without one. */
export function widestTable(markdown: string): number {
  let widest = 0;
  let cells = 0;
  for (const token of new MarkdownIt({ html: true }).parse(markdown, {})) {
    if (token.type === "tr_open") cells = 0;
    if (token.type === "th_open") cells += 1;
    if (token.type === "tr_close") widest = Math.max(widest, cells);
  }
  return widest;
}
