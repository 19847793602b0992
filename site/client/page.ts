/** What every page does beyond being read. */
import { listenForCopies } from "./copy.ts";
import { listenForTips } from "./tips.ts";

listenForTips();
listenForCopies();
