/** GitHub's limits and the words in which it refuses, in one place. */

/** A merge whose `sha` is not the head; GitHub says so now and then although nothing moved. */
export const HEAD_MODIFIED = "Head branch was modified. Review and try the merge again.";

export const SECONDARY_LIMIT =
  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. " +
  "For more on scraping GitHub and how it may affect your rights, please review our Terms of Service.";
