/** What makes a statement of the Findings section strong, moderate, weak or not clear, for people. */
export const STRENGTH_RULES: readonly { readonly title: string; readonly rule: string }[] = [
  {
    title: "Who leads",
    rule: "By the ranges of ranks: strong when it is ahead of everybody shown in more than 97.5% of random draws, moderate when of the second only, or when one judge or one lead is all there is. Without ranges at most weak: when repeat runs do not overlap, or when single runs are more than half a point apart.",
  },
  {
    title: "Best value",
    rule: "Over repeat runs that do not overlap with those of the second: strong from three, moderate from two. Without them: moderate from half a point over ten entries each, weak from 0.2 points, which is what a doubling of the price costs.",
  },
  {
    title: "Cheapest that passes",
    rule: "By the price of the next: from 1.5 times strong over ten entries each and moderate over fewer, from 1.1 times weak. Never where costs of repeat runs overlap.",
  },
  {
    title: "Leads, strictest judge, self-preference",
    rule: "By standard errors of the difference: strong from 3 over ten pairs, moderate from 2 over five, weak from 1.5 over three. Leads are at most moderate over fewer than three tasks, since each lead wrote one brief a task.",
  },
  {
    title: "Tasks",
    rule: "By the deviation between configurations, task against task: strong from 1.5 times over ten configurations where it is also 3 times what repeat runs differ by chance, moderate from 2 times over ten, weak from 1.25 times over three. Never where it is less than twice what repeat runs differ.",
  },
  {
    title: "Fast mode",
    rule: "By pairs of the same task and lead on both tiers: strong from ten, moderate from three, weak from one. An assumed factor is weak.",
  },
];
