import type { Suite, SuiteCategory } from "../../../src/lib/task/kit.ts";
import { drawnScript, kept, lines, scripts, storms } from "./cases.ts";

/** Numbers up to this make seeds of storms. */
const SEEDS = 2 ** 31;

/** In no order that says anything. Scripts that are not about time move it only to the very moments at which something is due. */
const categories: readonly SuiteCategory[] = [
  {
    id: "h01",
    title: "Waiters are served in the order in which they came, whatever they hold elsewhere",
    cases: (random) => {
      const line = random.shuffled(["c2", "c3", "c4", "c5", "c6", "c7"]);
      return [
        scripts(
          [
            "c1 acquire q 50",
            ...line.map((client) => `${client} request q 10 inf`),
            "snapshot",
            "c1 release q 1",
            ...line.flatMap((client, index) => [`${client} release q ${index + 2}`]),
            "snapshot",
          ],
          [
            "c1 acquire q 50",
            "c1 request q 7 inf",
            "c2 request q 9 inf",
            "c1 request q 11 inf",
            "c1 acquire q 1",
            "snapshot",
            "c1 release q 1",
            "c1 release q 2",
            "c2 release q 3",
            "c1 release q 4",
            "c2 acquire q 3",
          ],
        ),
      ];
    },
  },
  {
    id: "h02",
    title: "Many processes at once, some of which die holding or waiting",
    cases: (random) => [
      storms(
        ...[1, 4].map((resources) => ({
          processes: 40,
          rounds: 30,
          resources,
          deaths: 16,
          seed: random.below(SEEDS),
        })),
      ),
    ],
  },
  {
    id: "h03",
    title: "Tokens count leases of a server, over resources and reasons",
    cases: (random) => {
      const names = random.shuffled(["a", "b", "c", "d", "resource/with.signs", "é", "~text"]);
      return [
        scripts([
          ...names.map((name) => `c1 acquire ${name} 10`),
          ...names.map((name) => `c2 acquire ${name} 10`),
          ...names.map((name, index) => `c1 release ${name} ${index + 1}`),
          ...names.map((name) => `c2 acquire ${name} 10`),
          "snapshot",
          "use 2 100",
          "c1 acquire a 10",
          "snapshot",
          "use 1",
          "c1 acquire other 10",
          "snapshot",
        ]),
      ];
    },
  },
  {
    id: "h04",
    title: "Lines of 60,000, as many leases: no time that grows with the square",
    cases: (random) => [lines(60_000, random.below(SEEDS), 12)],
  },
  {
    id: "h05",
    title: "One advance plays everything on its way: leases granted during it end during it",
    cases: (random) => {
      const ttls = Array.from({ length: 6 }, () => 1 + random.below(9));
      return [
        scripts(
          [
            "c1 acquire a 10",
            ...ttls.map((ttl, index) => `c${2 + (index % 3)} request a ${ttl} inf`),
            `advance ${12 + random.below(20)}`,
            "snapshot",
            "advance 100",
            "snapshot",
          ],
          [
            "c1 acquire a 10",
            "c1 acquire b 15",
            "c2 request a 10 inf",
            "c3 request b 10 21",
            "c4 request a 30 18",
            "c4 request b 5 30",
            "advance 40",
            "snapshot",
          ],
        ),
      ];
    },
  },
  {
    id: "h06",
    title: "Wrong arguments raise in the caller and change nothing",
    cases: () => [
      scripts([
        "c1 acquire a 10",
        "c2 request a 10 inf",
        ...["0", "-1", "~float", "~nil", "inf", "~text"].map((ttl) => `c1 acquire b ${ttl}`),
        ...["~nil", "~atom", "~list", "~bits", "~number"].map((resource) => `c1 acquire ${resource} 10`),
        ...["0", "-5", "~float", "~nil"].map((patience) => `c1 request a 5 ${patience}`),
        "c1 request ~atom 5 5",
        "c1 request a 0 inf",
        ...["~nil", "~atom", "~number"].map((ref) => `c2 cancel ${ref}`),
        "c1 renew a ~nil 5",
        "c1 renew a 1 0",
        "c1 renew ~list 1 5",
        "c1 renew a -1 5",
        "c1 release a ~float",
        "c1 release ~bits 1",
        ...["-1", "~float", "~nil"].map((ms) => `c1 advance ${ms}`),
        "advance 0",
        "snapshot",
        "c1 release a 1",
        "c2 release a 2",
      ]),
    ],
  },
  {
    id: "h07",
    title: "The death of a holder ends its leases, the smaller token first, and hands them on",
    cases: (random) => {
      const names = random.shuffled(["a", "b", "c", "d", "e"]);
      return [
        scripts(
          ...["kill", "stop"].map((how) => [
            ...names.map((name) => `c1 acquire ${name} 50`),
            ...random
              .shuffled(names)
              .flatMap((name) => [`c2 request ${name} 10 inf`, `c3 request ${name} 10 inf`]),
            `c1 release ${names[0]} 1`,
            `${how} c1`,
            "snapshot",
            "c1 acquire z 5",
            "kill c2",
            "snapshot",
          ]),
        ),
      ];
    },
  },
  {
    id: "h08",
    title: "What is due at one time comes in its order, and a deadline is over at its very time",
    cases: () => [
      scripts(
        [
          "c1 acquire a 10",
          "c2 request a 10 10",
          "advance 9",
          "c1 renew a 1 1",
          "advance 1",
          "c1 renew a 1 5",
          "c1 release a 1",
          "snapshot",
        ],
        [
          "c1 acquire b 10",
          "c1 acquire a 10",
          "c1 acquire d 20",
          "c2 request d 5 10",
          "c2 request b 5 10",
          "c2 request a 5 inf",
          "c2 request d 5 10",
          "advance 10",
          "snapshot",
          "advance 5",
        ],
        [
          "c1 acquire a 10",
          "c1 renew a 1 3",
          "advance 2",
          "c1 renew a 1 4",
          "advance 3",
          "snapshot",
          "advance 1",
          "snapshot",
        ],
      ),
    ],
  },
  {
    id: "h09",
    title: "The death of a waiter takes its requests out of every line",
    cases: (random) => {
      const line = random.shuffled(["c2", "c3", "c4", "c3"]);
      return [
        scripts(
          [
            "c1 acquire a 50",
            "c1 acquire b 50",
            ...line.map((client) => `${client} request a 10 inf`),
            "c3 request b 10 20",
            "c4 request b 10 inf",
            "kill c3",
            "snapshot",
            "c1 release a 1",
            "c1 release b 2",
            "snapshot",
          ],
          [
            "c1 acquire a 50",
            "c2 request a 10 20",
            "stop c2",
            "c1 release a 1",
            "snapshot",
            "c3 acquire a 5",
          ],
        ),
      ];
    },
  },
  {
    id: "h10",
    title: "Stale tokens, other processes' tokens",
    cases: () => [
      scripts([
        "c1 acquire a 10",
        "c2 acquire b 10",
        "c2 renew a 1 5",
        "c2 release a 1",
        "c1 renew a 2 5",
        "c1 release a 0",
        "c2 release a 2",
        "c1 renew free 1 5",
        "c1 release free 1",
        "c2 request a 10 inf",
        "c1 release a 1",
        "c1 renew a 1 5",
        "c1 release a 1",
        "c1 release a 3",
        "c2 renew a 3 40",
        "snapshot",
        "advance 10",
        "c2 renew b 2 5",
        "c2 release b 2",
        "snapshot",
      ]),
    ],
  },
  {
    id: "h11",
    title: "Nothing is kept of what is over, and no process watched without need",
    cases: () => [
      scripts([
        "monitors c1",
        "c1 acquire a 10",
        "monitors c1",
        "c1 acquire b 10",
        "c2 request a 10 inf",
        "c2 request b 10 5",
        "c1 request a 5 inf",
        "monitors c1",
        "monitors c2",
        "c1 release a 1",
        "monitors c1",
        "c1 release b 2",
        "monitors c1",
        "c1 cancel r3",
        "monitors c1",
        "c2 release a 3",
        "c2 release b 4",
        "monitors c2",
        "c3 acquire a 10",
        "c4 request a 10 5",
        "advance 5",
        "monitors c4",
        "advance 5",
        "monitors c3",
        "c1 acquire a 10",
        "c1 request a 10 inf",
        "c1 release a 6",
        "monitors c1",
        "kill c1",
        "snapshot",
      ]),
      kept(30_000),
    ],
  },
  {
    id: "h12",
    title: "Cancelling: the owner's alone, once, and no message afterwards",
    cases: () => [
      scripts([
        "c1 acquire a 10",
        "c2 request a 10 5",
        "c3 request a 10 inf",
        "c4 request a 10 10",
        "c2 cancel r0",
        "c3 cancel r1",
        "c2 cancel r1",
        "c2 cancel r1",
        "snapshot",
        "advance 5",
        "c1 release a 1",
        "c3 cancel r2",
        "advance 5",
        "c4 cancel r3",
        "snapshot",
      ]),
    ],
  },
  {
    id: "h13",
    title: "Many processes at once: nobody is in twice, tokens grow, everybody comes to an end",
    cases: (random) => [
      storms(
        ...[1, 3, 8].map((resources) => ({
          processes: 32,
          rounds: 40,
          resources,
          deaths: 0,
          seed: random.below(SEEDS),
        })),
      ),
    ],
  },
  {
    id: "h14",
    title: "Everything in any order",
    cases: (random) => [
      scripts(
        ...[3, 3, 60].map((stride) =>
          drawnScript(random, {
            steps: 120,
            clients: 5,
            resources: ["a", "b", "c"],
            weights: {
              acquire: 2,
              request: 6,
              cancel: 1,
              renew: 2,
              release: 3,
              advance: 3,
              kill: 1,
              snapshot: 1,
            },
            stride,
          }),
        ),
      ),
    ],
  },
  {
    id: "h15",
    title: "Messages that nobody asked for change nothing",
    cases: () => [
      scripts([
        "c1 acquire a 10",
        "c2 request a 10 20",
        "c3 request a 10 inf",
        "stray",
        "snapshot",
        "stray",
        "advance 10",
        "stray",
        "snapshot",
        "c2 release a 2",
        "c3 release a 3",
        "stray",
        "c1 acquire a 10",
      ]),
    ],
  },
];

export const suite: Suite = { categories };
