import type { Rule } from "./rule.ts";

const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");

/**
 * One folder, one model. A folder's name follows from the model's id, but only eight digits of its hash are in it: few
 * enough to look for an id that lands among another model's results.
 */
export const modelFolder: Rule = {
  id: "model-folder",
  title: "A folder holds the results of one model.",
  check: ({ submissions, committed }) =>
    submissions.flatMap(({ path, document, withdrawal }) => {
      const model = document?.model.id ?? withdrawal?.model;
      const other = committed.find((result) => folderOf(result.path) === folderOf(path));
      if (model === undefined || other === undefined || other.model === model) return [];
      return [
        {
          code: "pr-other-model",
          severity: "error",
          message: `This folder holds the results of ${other.model}.`,
          path,
          pointer: document === null ? "/model" : "/model/id",
          expected: other.model,
          actual: model,
          hint: "Name the model as its provider does.",
        },
      ];
    }),
};
