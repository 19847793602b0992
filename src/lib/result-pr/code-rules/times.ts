import type { Finding } from "../../findings.ts";
import { pointerToken } from "../../strict-json/pointer.ts";
import { type CodeDocument, gainedIn, jsonOf } from "../code-facts.ts";
import type { CodeRule } from "./rule.ts";

/** Keys whose values say when something happened, in documents of what happened. */
const TIMES = new Set(["at", "added_at", "started_at", "finished_at", "first_event_at", "last_event_at"]);
const KINDS = new Set<CodeDocument["kind"]>(["runs", "defects", "anchors"]);
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const NAMED = 20;

/** F25: nothing that is new happened after it was sent. Instants of fixed width compare as text. */
export const times: CodeRule = {
  id: "facts-times",
  title: "What is new happened before the pull request arrived.",
  check: ({ documents, arrivedAt }) =>
    arrivedAt === null
      ? []
      : documents
          .filter(({ kind }) => KINDS.has(kind))
          .flatMap((document) =>
            gainedIn(document)
              .flatMap((pointer) => laterIn(at(jsonOf(document), pointer), pointer, arrivedAt))
              .slice(0, NAMED)
              .map(
                ([pointer, actual]): Finding => ({
                  code: "code-pr-later",
                  severity: "error",
                  message: "This says that it happened after the pull request had arrived.",
                  path: document.path,
                  pointer,
                  expected: `at most ${arrivedAt}`,
                  actual,
                  hint: "Check the clock of the machine that recorded it.",
                }),
              ),
          ),
};

/** The value at a pointer whose tokens are indexes and plain keys, as comparisons give them. */
function at(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointer.split("/").slice(1))
    value = (value as Record<string, unknown> | null | undefined)?.[
      token.replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  return value;
}

function laterIn(value: unknown, pointer: string, arrivedAt: string): [pointer: string, time: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    const here = `${pointer}/${pointerToken(key)}`;
    if (typeof inner !== "string") return laterIn(inner, here, arrivedAt);
    return TIMES.has(key) && INSTANT.test(inner) && inner > arrivedAt ? [[here, inner]] : [];
  });
}
