import type { Finding } from "../../findings.ts";
import { type CodeDocument, gainedIn, jsonOf } from "../code-facts.ts";
import type { CodeRule } from "./rule.ts";

/** What a person has to look at before it counts: nothing here is wrong. */

const warn = (document: CodeDocument, code: string, pointer: string, message: string): Finding => ({
  code,
  severity: "warning",
  message,
  path: document.path,
  pointer,
  hint: "A maintainer looks at it; the comment /assay accept accepts exactly this head.",
});

const LOGS = ["/council/revisions", "/revisions"];

/** Corrections of what is on the record are a maintainer's business. */
export const revisions: CodeRule = {
  id: "facts-revisions",
  title: "A maintainer agrees to corrections of committed values.",
  check: ({ documents }) =>
    documents.flatMap((document) =>
      LOGS.flatMap((log) => {
        const count = gainedIn(document).filter((pointer) => pointer.startsWith(`${log}/`)).length;
        return count === 0
          ? []
          : [
              warn(
                document,
                "code-pr-revision",
                log,
                `${count === 1 ? "A revision corrects" : `${count} revisions correct`} what is committed; the values before stay in the document.`,
              ),
            ];
      }),
    ),
};

/** A run that is left out of all results after it was committed. */
export const excluded: CodeRule = {
  id: "facts-excluded",
  title: "A maintainer agrees to leave a committed run out.",
  check: ({ documents }) =>
    documents
      .filter((document) => gainedIn(document).includes("/excluded"))
      .map((document) =>
        warn(document, "code-pr-excluded", "/excluded", "This takes a committed run out of all results."),
      ),
};

/** Kinds of numbers that nobody here measured: by what is new in which document. */
const DECLARED: readonly (readonly [
  kind: CodeDocument["kind"],
  what: string,
  found: (document: CodeDocument, attested: ReadonlySet<string>) => boolean,
])[] = [
  ["runs", "reviews", (document) => isNew(document, "/council/sessions")],
  [
    "runs",
    "results of the hidden suite",
    (document, attested) => isNew(document, "/entries", "hidden", attested),
  ],
  ["runs", "timings", (document, attested) => isNew(document, "/entries", "perf", attested)],
  [
    "runs",
    "tokens and times",
    (document) => isNew(document, "/entries", "usage") || gains(document, "/usage", "/kit"),
  ],
  ["runs", "code metrics", (document) => isNew(document, "/entries", "quality")],
  ["defects", "defects", (document) => isNew(document, "/defects")],
  ["pricing", "prices", (document) => gainedIn(document).length > 0],
  ["models", "prices", (document) => gains(document, "/priced_as")],
];

/** Evidence that no job of ours measured counts only after a maintainer accepted it (design, section 2). */
export const declared: CodeRule = {
  id: "facts-declared",
  title: "A maintainer accepts what is only declared.",
  check: ({ documents, attested }) =>
    documents.flatMap((document) => {
      const kinds = DECLARED.filter(
        ([kind, , found]) => kind === document.kind && found(document, attested),
      ).map(([, what]) => what);
      if (kinds.length === 0) return [];
      return [
        warn(
          document,
          "code-pr-declared",
          "",
          `The submitter says so, and no job of ours measured it: ${kinds.join(", ")}.`,
        ),
      ];
    }),
};

/** Whether one of these keys is new in what was there before. */
const gains = (document: CodeDocument, ...keys: readonly string[]): boolean =>
  gainedIn(document).some((pointer) => keys.some((key) => pointer.endsWith(key)));

const NOBODY: ReadonlySet<string> = new Set();

/** Whether something new lies in a list, or under a key of an item of it. What is `attested` does not count. */
function isNew(
  document: CodeDocument,
  list: string,
  key: string | null = null,
  attested: ReadonlySet<string> = NOBODY,
): boolean {
  const tokens = list.split("/").slice(1);
  const items = tokens.reduce<unknown>(
    (value, token) => (value as Record<string, unknown> | null)?.[token],
    jsonOf(document) ?? null,
  );
  if (!Array.isArray(items)) return false;
  const gained = gainedIn(document);
  const isOurs = (index: number): boolean => attested.has(`${document.path}#${list}/${index}/${key}`);
  const has = (item: unknown, index: number): boolean =>
    key === null || (typeof item === "object" && item !== null && Object.hasOwn(item, key) && !isOurs(index));
  if (gained.includes("")) return items.some(has);
  return gained.some((pointer) => {
    if (!pointer.startsWith(`${list}/`)) return false;
    const [index, ...rest] = pointer.slice(list.length + 1).split("/");
    if (rest.length === 0) return has(items[Number(index)], Number(index));
    return key === null || (rest[0] === key && !isOurs(Number(index)));
  });
}
