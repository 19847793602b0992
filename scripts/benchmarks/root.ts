import { fileURLToPath } from "node:url";
import { userPath } from "../../src/io/user-files.ts";

/** The repository that holds these scripts. */
export const REPOSITORY: string = fileURLToPath(new URL("../..", import.meta.url));

/** `--root` as a person typed it, or this repository. */
export const rootOf = (option: string | undefined): string =>
  option === undefined ? REPOSITORY : userPath(option);
