import { foldPath, isResultPath } from "../change-set.ts";
import type { Rule } from "./rule.ts";

const WORKBOOK = /\.(?:xls[a-z]?|ods|numbers|zip|7z|gz)$/;

/** F50: workbooks are pinned by the suite; nobody sends one. */
export const workbook: Rule = {
  id: "workbook",
  title: "A result brings no workbook and no archive.",
  check: ({ changes }) =>
    changes
      .filter(({ path, after }) => after !== null && isResultPath(path) && WORKBOOK.test(foldPath(path)))
      .map(({ path }) => ({
        code: "pr-workbook",
        severity: "error",
        message:
          "Workbooks and archives may not come with a result; the suite pins every workbook by digest.",
        path,
        hint: "Remove the file. A workbook for a new member goes into a pull request about the suite.",
      })),
};
