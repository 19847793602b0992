import { sha256Hex } from "../../lib/digest.ts";
import { type Change, changesOf, type History } from "../../lib/feed/history.ts";
import { safeText } from "../../lib/picture/text.ts";
import { commitAddress, pullAddress, type SiteInfo } from "../site-info.ts";
import { HISTORY_PATH } from "./history.tsx";
import { changeAnchor, changeTitle, codeWords, sheetText } from "./history-words.ts";

export const ATOM_PATH = "atom.xml";

/** Readers of a feed ask often; older changes are on the history page. */
const ENTRIES = 100;

/**
 * Changes of the boards as an Atom feed (RFC 4287). Ids do not depend on where the site stands, so that readers know an
 * entry again when it moves; links are absolute, so there are only those whose address is known.
 */
export function renderAtom(history: History, site: SiteInfo): string {
  const changes = changesOf(history);
  const entries = changes.slice(0, ENTRIES).map((change) => renderEntry(change, site));
  const updated = changes[0]?.at ?? history.at;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${nameId(`feed\n${site.server ?? ""}/${site.repository ?? ""}`)}</id>
  <title>${xmlText(`Assay: what changed on the boards${site.repository === null ? "" : ` of ${site.repository}`}`)}</title>
  <updated>${updated}</updated>
  <author><name>${xmlText(site.repository ?? "Assay")}</name></author>
${site.url === null ? "" : `  ${link("self", `${site.url}${ATOM_PATH}`, "application/atom+xml")}\n  ${link("alternate", `${site.url}${HISTORY_PATH}`, "text/html")}\n`}${entries.join("")}</feed>
`;
}

function renderEntry(change: Change, site: SiteInfo): string {
  const isSheet = "digest" in change;
  const title = changeTitle(change);
  const text = isSheet ? sheetText(change) : codeWords(change).join("\n");
  const { commit, pull, at } = change;
  const by = pull === null ? `Commit ${commit}.` : `Brought by pull request #${pull}, commit ${commit}.`;
  const pullLink = pull === null ? null : pullAddress(site, pull);
  const commitLink = commitAddress(site, commit);
  const links = [
    ...(site.url === null
      ? []
      : [link("alternate", `${site.url}${HISTORY_PATH}#${changeAnchor(change)}`, "text/html")]),
    ...(pullLink === null ? [] : [link("related", pullLink, "text/html")]),
    ...(commitLink === null ? [] : [link("via", commitLink, "text/html")]),
  ];
  return `  <entry>
    <id>${nameId(`entry\n${commit}\n${isSheet ? change.digest : ""}`)}</id>
    <title>${xmlText(title)}</title>
    <updated>${at}</updated>
${links.map((each) => `    ${each}\n`).join("")}    <category term="${isSheet ? "sheet" : "code"}"/>
    <content type="text">${xmlText(`${text}\n${by}`)}</content>
  </entry>
`;
}

const link = (rel: string, address: string, type: string): string =>
  `<link rel="${rel}" type="${type}" href="${xmlText(address)}"/>`;

/** A UUID made of a name alone (version 8 of RFC 9562): the first 122 bits of its SHA-256 that are free. */
function nameId(name: string): string {
  const hex = sha256Hex(`assay\n${name}`);
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3];
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** XML text and attributes: what a reader could take for markup, and characters that XML does not have. */
const xmlText = (text: string): string =>
  text
    .split("\n")
    .map((line) =>
      safeText(line)
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;"),
    )
    .join("\n");
