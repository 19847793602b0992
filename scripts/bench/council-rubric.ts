import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { REPOSITORY } from "../benchmarks/root.ts";

/** The rubric that this version of the project judges by: there is one, and no option for another. */
export const readRubric = (): Promise<string> =>
  readFile(join(REPOSITORY, "templates", "council-rubric.md"), "utf8");
