import { digestOf } from "../../lib/digest.ts";
import type { Change } from "../../lib/feed/history.ts";
import { safeText } from "../../lib/picture/text.ts";
import { commitAddress, pullAddress, type SiteInfo } from "../site-info.ts";
import { changeAnchor, changeWords, HISTORY_PATH } from "./history.tsx";

export const ATOM_PATH = "atom.xml";

/** A reader fetches it again and again: it holds the newest changes. */
const MOST_ENTRIES = 50;

const xml = (text: string): string =>
  safeText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/**
 * What changed on the boards as an Atom feed (RFC 4287). Ids follow from commit and file, so that no reader is told of
 * a change twice, wherever the site stands.
 * @param changes newest first, at least one: a feed has to say when it was last updated
 */
export function atomFeed(changes: readonly [Change, ...Change[]], site: SiteInfo): string {
  const self = site.url === null ? ATOM_PATH : `${site.url}${ATOM_PATH}`;
  return `${[
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    "<title>Assay: what changed on the boards</title>",
    `<id>${idOf(`feed ${site.repository ?? ""}`)}</id>`,
    `<link rel="self" type="application/atom+xml" href="${xml(self)}"/>`,
    ...(site.url === null
      ? []
      : [`<link rel="alternate" type="text/html" href="${xml(`${site.url}${HISTORY_PATH}`)}"/>`]),
    `<updated>${changes[0].at}</updated>`,
    `<author><name>${xml(site.repository ?? "Assay")}</name></author>`,
    ...changes.slice(0, MOST_ENTRIES).map((change) => entry(change, site)),
    "</feed>",
  ].join("\n")}\n`;
}

function entry(change: Change, site: SiteInfo): string {
  const { at, commit, pull, what } = change;
  const evidence = pull === null ? commitAddress(site, commit) : pullAddress(site, pull);
  const page = `${site.url ?? ""}${HISTORY_PATH}#${changeAnchor(change)}`;
  const moved =
    what.board === "sheet" && what.rank !== null && what.rank.before !== what.rank.after
      ? ` Rank ${what.rank.before ?? "none"} to ${what.rank.after ?? "none"}.`
      : "";
  const where = what.board === "sheet" ? ` in ${what.suite}` : "";
  return [
    "<entry>",
    `<title>${xml(`${changeWords(change)}${where}`)}</title>`,
    `<id>${idOf(`${commit} ${what.board === "sheet" ? what.path : "code"}`)}</id>`,
    `<link rel="alternate" type="text/html" href="${xml(page)}"/>`,
    ...(evidence === null ? [] : [`<link rel="related" href="${xml(evidence)}"/>`]),
    `<published>${at}</published>`,
    `<updated>${at}</updated>`,
    `<summary>${xml(`${changeWords(change)}${where}.${moved} Commit ${commit}.`)}</summary>`,
    "</entry>",
  ].join("\n");
}

/** A UUID of version 8 (RFC 9562) out of the SHA-256 of a name. */
function idOf(name: string): string {
  const hex = digestOf(name).slice("sha256:".length);
  const variant = "89ab"[Number.parseInt(hex.slice(16, 17), 16) % 4] ?? "8";
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
