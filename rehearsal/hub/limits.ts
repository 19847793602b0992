/** GitHub's limits and the words in which it refuses, in one place. */

/** A merge whose `sha` is not the head; GitHub says so now and then although nothing moved. */
export const HEAD_MODIFIED = "Head branch was modified. Review and try the merge again.";

export const SECONDARY_LIMIT =
  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. " +
  "For more on scraping GitHub and how it may affect your rights, please review our Terms of Service.";

/** Longest comment, issue or pull request body, in UTF-16 units: the strictest reading of "characters" that fits GitHub's text. */
export const BODY_CHARACTERS = 65_536;
export const TITLE_CHARACTERS = 256;
/** `output.summary` and `output.text` of a check run. */
export const OUTPUT_CHARACTERS = 65_535;
export const ANNOTATIONS_PER_REQUEST = 50;

/** Files of a pull request or commit that are listed, however many changed. */
export const LISTED_FILES = 3_000;
/** Files on one page of a commit. */
export const COMMIT_PAGE_FILES = 300;
/** Files and commits of a comparison. */
export const COMPARE_FILES = 300;
export const COMPARE_COMMITS = 250;
/** Commits of a pull request that are listed. */
export const PULL_COMMITS = 250;
/** A diff as text is refused above either; a listing's rows come without patch beyond so many patch lines. */
export const DIFF_FILES = 300;
export const DIFF_LINES = 20_000;

/** A recursive tree is cut at either. */
export const TREE_ENTRIES = 100_000;
export const TREE_BYTES = 7 * 1024 * 1024;

/** Inputs and characters of all inputs of a `workflow_dispatch`. */
export const DISPATCH_INPUTS = 25;
export const DISPATCH_CHARACTERS = 65_535;
