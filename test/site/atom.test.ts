import { SaxesParser } from "saxes";
import { expect, it } from "vitest";
import type { Change } from "../../src/lib/feed/history.ts";
import { atomFeed } from "../../src/site/pages/atom.ts";
import { LOCAL_SITE } from "../../src/site/site-info.ts";

const change = (path: string, name: string): Change => ({
  at: "2026-12-01T10:00:00.000Z",
  commit: "c".repeat(40),
  pull: 7,
  what: {
    board: "sheet",
    kind: "first",
    suite: "gold-2026.07",
    model: "x/y",
    name,
    path,
    digest: `sha256:${"a".repeat(64)}`,
    reason: null,
    composite: { before: null, after: 0.5 },
    rank: { before: null, after: 1 },
  },
});
const SITE = {
  ...LOCAL_SITE,
  url: "https://acme.github.io/assay/",
  server: "https://github.com",
  repository: "acme/assay",
};

/** Texts and attributes of the elements of a name. @throws when it is not well-formed */
function read(xml: string, element: string): string[] {
  const found: string[] = [];
  let open = false;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    open = name === element;
    if (open) found.push(String(attributes.href ?? ""));
  });
  parser.on("text", (text) => {
    if (open) found[found.length - 1] += text;
  });
  parser.on("closetag", () => {
    open = false;
  });
  parser.write(xml).close();
  return found;
}

it("is Atom that a parser takes, whatever strangers call a model", () => {
  const feed = atomFeed([change("a", `<b>&"]]>\u202e\u0000`), change("b", "b")], SITE);
  expect(read(feed, "title")[1]).toContain('<b>&"]]>');
  expect(read(feed, "updated")[0]).toBe("2026-12-01T10:00:00.000Z");
  expect(read(feed, "link").slice(1)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^https:\/\/acme\.github\.io\/assay\/history\.html#change-c{12}-[0-9a-f]{8}$/),
      "https://github.com/acme/assay/pull/7",
    ]),
  );
});

it("gives every change an id that stays, wherever the site moves and whatever comes later", () => {
  const ids = read(atomFeed([change("a", "a")], SITE), "id");
  const later = read(
    atomFeed([change("b", "b"), change("a", "a")], { ...SITE, url: "https://else.example/" }),
    "id",
  );
  expect(new Set(later).size).toBe(3);
  expect(later).toEqual(expect.arrayContaining(ids));
  for (const id of later)
    expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
