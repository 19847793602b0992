import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { renderAtom } from "../../../src/site/pages/atom.ts";
import { LOCAL_SITE, type SiteInfo } from "../../../src/site/site-info.ts";
import { sheetChange as change, codeChange as code, historyOf as history } from "../sample-history.ts";

const PUBLIC: SiteInfo = {
  ...LOCAL_SITE,
  repository: "owner/name",
  server: "https://github.com",
  url: "https://owner.github.io/name/",
};

interface Node {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Node[];
  text: string;
}

/** The feed as a strict parser reads it: every prefix known, every character allowed. */
function parse(xml: string): Node {
  const root: Node = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    expect(tag.uri).toBe("http://www.w3.org/2005/Atom");
    const attributes = Object.fromEntries(
      Object.values(tag.attributes).map(({ name, value }) => [name, value]),
    );
    const node: Node = { name: tag.local, attributes, children: [], text: "" };
    open[open.length - 1]?.children.push(node);
    open.push(node);
  });
  parser.on("text", (text) => {
    const node = open[open.length - 1];
    if (node !== undefined) node.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

const all = (node: Node, name: string): Node[] => node.children.filter((child) => child.name === name);
const one = (node: Node, name: string): string => {
  const found = all(node, name);
  expect(found.map((each) => each.name)).toEqual([name]);
  return found[0]?.text ?? "";
};

describe("the Atom feed", () => {
  it("has what RFC 4287 asks of a feed and of each entry, and absolute links only", () => {
    const feed = parse(renderAtom(history([change(20), change(3)], { code: [code] }), PUBLIC));
    expect(feed.name).toBe("feed");
    expect(one(feed, "id")).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(one(feed, "title")).toContain("owner/name");
    expect(one(all(feed, "author")[0]!, "name")).toBe("owner/name");
    expect(one(feed, "updated")).toBe(code.at);
    const entries = all(feed, "entry");
    expect(entries.map((entry) => one(entry, "updated"))).toEqual([code.at, change(20).at, change(3).at]);
    const ids = [feed, ...entries].map((each) => one(each, "id"));
    expect(new Set(ids).size).toBe(4);
    expect(one(entries[1]!, "title")).toBe("One overtakes b/two in gold-1 (rank 1)");
    expect(one(entries[1]!, "content")).toContain("pull request #20");
    expect(one(entries[0]!, "content")).toContain(
      "New run r-1 of coder: 2 entries (1 did not finish)\nDefects of coder: 2 verified defects",
    );
    const links = [feed, ...entries].flatMap((each) => all(each, "link"));
    expect(links.map(({ attributes }) => attributes.rel)).toContain("self");
    for (const { attributes } of links) expect(() => new URL(attributes.href ?? "")).not.toThrow();
    for (const entry of entries)
      expect(all(entry, "link").filter(({ attributes }) => attributes.rel === "alternate")).toHaveLength(1);
  });

  it("keeps the id of an entry, whatever comes after it and wherever the site stands", () => {
    const id = (feed: Node, at: number): string => one(all(feed, "entry")[at]!, "id");
    const before = parse(renderAtom(history([change(3)]), LOCAL_SITE));
    const after = parse(renderAtom(history([change(20), change(3)]), PUBLIC));
    expect(id(after, 1)).toBe(id(before, 0));
    expect(id(after, 0)).not.toBe(id(before, 0));
  });

  it("a name made of markup and control characters stays text", () => {
    const name = '</title><script>alert("1")</script>&amp;\u0000\u001b[31m\u202e\ud800 ]]>';
    const xml = renderAtom(history([change(3, { name, reason: name, kind: "withdrawn" })]), PUBLIC);
    const feed = parse(xml);
    expect(one(all(feed, "entry")[0]!, "title")).toContain('</title><script>alert("1")</script>&amp;');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]|[\ud800-\udfff]/);
  });

  it("holds the newest hundred, and with nothing to tell it is a feed all the same", () => {
    const many = Array.from({ length: 150 }, (_, at) => change(at));
    expect(all(parse(renderAtom(history(many), PUBLIC)), "entry")).toHaveLength(100);
    const feed = parse(renderAtom(history([]), LOCAL_SITE));
    expect(all(feed, "entry")).toEqual([]);
    expect(one(feed, "updated")).toBe(history([]).at);
    expect(all(feed, "link")).toEqual([]);
  });
});
