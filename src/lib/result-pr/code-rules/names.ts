import { deliverablePathSchema } from "../../code/schema/names.ts";
import { CODE_LIMITS } from "../code-facts.ts";
import { dataFileOf, isDataPath } from "../code-paths.ts";
import { isDeviceName } from "../rules/names.ts";
import type { CodeRule } from "./rule.ts";

/** F48: names that every file system keeps apart, in places where facts lie. */
export const names: CodeRule = {
  id: "facts-names",
  title: "Files lie where facts of their kind lie, under names that every file system takes.",
  check: ({ changes }) =>
    changes
      .filter(({ path, after }) => after !== null && isDataPath(path) && !isGood(path))
      .slice(0, 100)
      .map(({ path }) => ({
        code: "code-pr-name",
        severity: "error",
        message: "No file of facts can have this name.",
        path,
        expected:
          "data/{models,judges,pricing}.json, data/{runs,defects,anchors}/<id>.json, or data/entries/<run>/<entry>/<path> with names of letters, digits, '.', '_' and '-'",
        hint: "Rename or remove it; ids are lower case.",
      })),
};

function isGood(path: string): boolean {
  const file = dataFileOf(path);
  if (file === null || path.length > CODE_LIMITS.path) return false;
  if (path.split("/").some((segment) => isDeviceName(segment) || segment.endsWith("."))) return false;
  return file.kind === "document" || deliverablePathSchema.safeParse(file.file).success;
}
