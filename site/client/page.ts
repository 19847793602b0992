/** What every page does beyond being read. */
import { listenForCopies } from "./copy.ts";
import { listenForTips } from "./tips.ts";

listenForTips();
listenForCopies();

// A board whose address names another view than the one in the page says so until it is drawn.
if (location.search !== "" && document.getElementById("board") !== null)
  document.documentElement.classList.add("pending");
