import { safeText } from "../picture/text.ts";
import {
  countWords,
  type DifferenceKind,
  headerText,
  type RowDifference,
  summaryWords,
} from "./differences.ts";
import type { Explanation, MemberExplanation } from "./explanation.ts";

/** Text in HTML: nothing in it can start markup, and nothing turns a line around. */
const text = (value: string): string =>
  safeText(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** A picture's text in a `data:` address in double quotes: only what would end it or be read otherwise is escaped. */
const dataText = (svg: string): string =>
  svg.replace(/[^\x20-\x7e]|["#%&]/gu, (character) => encodeURIComponent(character));

const score = (value: number): string => value.toFixed(6);

/** Light and dark by the reader's setting; what differs has a mark and a line under it as well as a colour. */
const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c1c1c;--soft:#595959;--line:#d4d4d4;--card:#f6f6f6;--bad:#a40e26;--badbg:#ffebe9;--link:#0550ae}
@media (prefers-color-scheme:dark){:root{--bg:#16181d;--fg:#ececec;--soft:#a8adb7;--line:#3a3f4a;--card:#1e2127;--bad:#ff9b94;--badbg:#47191c;--link:#79c0ff}}
*{box-sizing:border-box}body{margin:0 auto;max-width:90rem;padding:1rem 1.5rem 4rem;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--bg);padding:.5rem 1rem}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2.5rem 0 .5rem;border-top:1px solid var(--line);padding-top:1.5rem}h3{font-size:1rem;margin:1.5rem 0 .5rem}
.soft{color:var(--soft)}.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.875rem;margin:.5rem 0}
caption{text-align:left;color:var(--soft);padding-bottom:.25rem}th,td{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
th{background:var(--card);font-weight:600}td.n{text-align:right;font-variant-numeric:tabular-nums}code{overflow-wrap:anywhere}code,td.c{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.8125rem}
td.bad{background:var(--badbg);color:var(--bad);text-decoration:underline dotted}td.bad::before{content:"≠ "}tr.first>*{border-top:2px solid var(--soft)}
.none{color:var(--soft);font-style:italic}img{max-width:100%;height:auto;border:1px solid var(--line)}summary{cursor:pointer;padding:.25rem 0}
`;

/**
 * The explanation as one HTML page that needs nothing else: no scripts, no fonts, no pictures from elsewhere, and a
 * policy that would refuse them. Everything in it can be reached with the keyboard.
 */
export function renderHtml(explanation: Explanation): string {
  const { model, suite, members } = explanation;
  const title = `${model} on ${suite.id}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#members">Skip to the members</a>
<header>
<h1>${text(title)}</h1>
<p>Composite <strong>${score(explanation.composite)}</strong> <span class="soft">(${text(explanation.composite_version)})</span>, finished ${text(explanation.finished_at)}.
Suite digest <code>${text(suite.digest)}</code>.</p>
<p class="soft">Lost: what the composite would gain if the member were perfect.</p>
</header>
<main id="members">
${overview(members)}
${members.map(section).join("\n")}
</main>
</body>
</html>
`;
}

function overview(members: readonly MemberExplanation[]): string {
  if (members.length < 2) return "";
  const sorted = [...members].sort((a, b) => b.lost - a.lost);
  const metrics = sorted[0]?.metrics ?? [];
  return table(
    "Members, the most costly first",
    ["Member", "Status", "Lost", ...metrics.map((metric) => metric.title)],
    sorted.map((member) =>
      [
        `<th scope="row"><a href="#m-${text(member.id)}">${text(member.id)}</a></th>`,
        `<td>${status(member)}</td>`,
        number(score(member.lost)),
        ...member.metrics.map(({ fraction }) => number(fraction)),
      ].join(""),
    ),
  );
}

const number = (value: string): string => `<td class="n">${text(value)}</td>`;

const table = (caption: string, titles: readonly string[], rows: readonly string[]): string =>
  [
    `<div class="scroll" role="region" aria-label="${text(caption)}" tabindex="0"><table><caption>${text(caption)}</caption>`,
    `<thead><tr>${titles.map((title) => `<th scope="col">${text(title)}</th>`).join("")}</tr></thead>`,
    `<tbody>${rows.map((row) => (row.startsWith("<tr") ? row : `<tr>${row}</tr>`)).join("\n")}</tbody></table></div>`,
  ].join("\n");

const status = ({ claimed, recomputed }: MemberExplanation): string =>
  recomputed === null
    ? `${text(claimed)} <span class="soft">(claimed)</span>`
    : recomputed === claimed
      ? text(claimed)
      : `<strong>${text(recomputed)}</strong>, claimed ${text(claimed)}`;

function section(member: MemberExplanation): string {
  const { differences } = member;
  return [
    `<section id="m-${text(member.id)}" aria-labelledby="t-${text(member.id)}">`,
    `<h2 id="t-${text(member.id)}">${text(member.id)}: ${text(member.title)}</h2>`,
    `<p>${status(member)}${member.attempts.length === 0 ? "" : ` <span class="soft">after ${text(member.attempts.join(", "))}</span>`}</p>`,
    ...(member.reason === null ? [] : [`<p>${text(member.reason)}</p>`]),
    `<details><summary>What was asked</summary><p>${text(member.task)}</p></details>`,
    table(
      "Metrics",
      ["Metric", "Share", "Value", "Lost"],
      member.metrics.map(
        (metric) =>
          `<th scope="row">${text(metric.title)}</th>${number(metric.fraction)}${number(score(metric.value))}${number(score(metric.lost))}`,
      ),
    ),
    ...(member.private ? ["<p>The workbook is private: of what differs only addresses are shown.</p>"] : []),
    ...member.findings.map(
      ({ code, message, pointer }) =>
        `<p><code>${text(code)}</code>${pointer === undefined ? "" : ` at <code>${text(pointer)}</code>`}: ${text(message)}</p>`,
    ),
    differences === null ? addressList(member) : differencesOf(member, differences),
    ...member.pictures.map(
      ({ title, svg }) =>
        `<details><summary>${text(title)}</summary><p><img alt="${text(`${title}; the table above says the same in words`)}" src="data:image/svg+xml,${dataText(svg)}"></p></details>`,
    ),
    "</section>",
  ].join("\n");
}

function addressList({ addresses }: MemberExplanation): string {
  if (addresses.length === 0) return "";
  return table(
    "What differs, as the document says",
    ["Kind", "Address"],
    addresses.map(({ kind, address }) => `<td>${text(kind)}</td><td class="c">${text(address)}</td>`),
  );
}

/** Said in place of a side that is not there. */
const ABSENT: Readonly<Partial<Record<DifferenceKind, string>>> = {
  missing: "The recipe does not take this value.",
  extra: "The reference does not take this value.",
};

function differencesOf(
  member: MemberExplanation,
  { columns, counts, headers: summary, rows }: NonNullable<MemberExplanation["differences"]>,
): string {
  const { sizes, cells } = member;
  const names = (side: "reference" | "produced"): string[] =>
    columns.filter((column) => column[side] === null).map(({ name }) => name);
  const list = (title: string, found: readonly string[]): string[] =>
    found.length === 0
      ? []
      : [`<p>${title}: ${found.map((name) => `<code>${text(name)}</code>`).join(", ")}</p>`];
  const headers = rows.flatMap(({ reference, headers: found }) =>
    found.map((difference) => ({ address: reference?.address ?? "", ...difference })),
  );
  return [
    `<h3>Reference and produced table</h3>`,
    sizes === null
      ? ""
      : `<p>Reference ${sizes.reference[0]} rows and ${sizes.reference[1]} columns; produced ${sizes.produced[0]} rows and ${sizes.produced[1]} columns. Values: ${text(countWords(counts))}.</p>`,
    ...list("Columns that are missing", names("produced")),
    ...list("Columns that are extra", names("reference")),
    ...(summary.length === 0
      ? []
      : [
          `<p>Headers that were resolved otherwise:</p><ul>${summary
            .map((header) => `<li><code>${text(header.name)}</code> in ${text(summaryWords(header))}</li>`)
            .join("")}</ul>`,
        ]),
    rows.length === 0
      ? "<p>Nothing differs.</p>"
      : table(
          `${rows.length} differences, the first of each kind, aligned by value cell`,
          ["Table", "Row", "Value cell", "The sheet shows", ...columns.map(({ name }) => name)],
          rows.flatMap((row) => rowPair(row, columns.length, cells)),
        ),
    ...(headers.length === 0
      ? []
      : [
          table(
            "Headers that were resolved otherwise (scalar, direction, source cell)",
            ["Value cell", "Header", "Reference", "Produced"],
            headers.map(
              ({ address, name, reference, produced }) =>
                `<td class="c">${text(address)}</td><th scope="row">${text(name)}</th>${headerCell(reference, cells)}${headerCell(produced, cells)}`,
            ),
          ),
        ]),
  ].join("\n");
}

function headerCell(
  headers: RowDifference["headers"][number]["reference"],
  cells: ReadonlyMap<string, string>,
): string {
  if (headers.length === 0) return '<td class="none">none</td>';
  const shown = headers.map((header) => {
    const source = header.source === null ? undefined : cells.get(header.source);
    return `${text(headerText(header))}${source === undefined || source === header.scalar ? "" : ` <span class="soft">the sheet shows “${text(source)}”</span>`}`;
  });
  return `<td class="c">${shown.join("<br>")}</td>`;
}

/** A value as two table rows, the reference's above the recipe's. */
function rowPair(row: RowDifference, columns: number, cells: ReadonlyMap<string, string>): string[] {
  const { reference, produced, kind } = row;
  const line = (
    side: RowDifference["reference"],
    other: RowDifference["reference"],
    name: string,
  ): string => {
    const head = `<th scope="row">${name}</th>`;
    if (side === null)
      return `${head}<td class="none" colspan="${3 + columns}">${text(ABSENT[kind] ?? "")}</td>`;
    const body = side.cells.map((cell, column) => {
      const differs = name === "produced" && other !== null && cell !== (other.cells[column] ?? null);
      return `<td class="c${differs ? " bad" : ""}">${cell === null ? '<span class="none">no such column</span>' : text(cell)}</td>`;
    });
    const moved = name === "produced" && other !== null && other.row !== side.row;
    return `${head}<td class="n${moved ? " bad" : ""}">${side.row}</td><td class="c">${text(side.address)}</td><td class="c">${text(cells.get(side.address) ?? "")}</td>${body.join("")}`;
  };
  return [
    `<tr class="first">${line(reference, produced, "reference")}</tr>`,
    `<tr>${line(produced, reference, "produced")}</tr>`,
  ];
}
