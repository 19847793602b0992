import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { authorise, type PermissionFacts, ROLES } from "../../../src/lib/bot/authorise.ts";
import {
  formatAccept,
  formatVerdict,
  isNewer,
  parseAccept,
  parseVerdict,
} from "../../../src/lib/bot/memos.ts";
import {
  byTurn,
  decideMerge,
  formatMemo,
  MAX_TRIES,
  type MergeFacts,
  type MergeMemo,
  mergeMessage,
  parseMemo,
  parseTrailers,
  queuePlaces,
  type RequestFacts,
} from "../../../src/lib/bot/merge.ts";
import { decidePublish, parseSourceTree, publishMessage } from "../../../src/lib/bot/publish.ts";
import { findSticky, isOurs } from "../../../src/lib/bot/sticky.ts";
import { decideTrust, FEED_WORKFLOW, RESULT_WORKFLOW, type RunFacts } from "../../../src/lib/bot/trust.ts";
import { report, SHA } from "../words/reports.ts";

const hex = (digit: string): string => digit.repeat(40);

describe("authorise", () => {
  const role = (roleName: string, permission = roleName): PermissionFacts => ({
    userId: 7,
    roleName,
    permission,
  });

  it("follows the roles in order", () => {
    const allowed = (verb: "validate" | "accept" | "merge") =>
      ROLES.filter((name) => authorise(verb, 7, role(name)).allowed);
    expect(allowed("validate")).toEqual(["triage", "write", "maintain", "admin"]);
    expect(allowed("accept")).toEqual(["write", "maintain", "admin"]);
    expect(allowed("merge")).toEqual(["write", "maintain", "admin"]);
  });
  it("goes by role_name, not by the coarse field", () => {
    expect(authorise("merge", 7, role("triage", "write")).allowed).toBe(false);
    expect(authorise("merge", 7, role("maintain", "write")).allowed).toBe(true);
  });
  it("counts a role of the organization's own as what it at least is", () => {
    expect(authorise("merge", 7, role("release-managers", "write")).allowed).toBe(true);
    expect(authorise("merge", 7, role("friends", "read")).allowed).toBe(false);
    expect(authorise("merge", 7, role("none", "none")).allowed).toBe(false);
  });
  it("denies without an answer, or with one about somebody else", () => {
    expect(authorise("merge", 7, null).allowed).toBe(false);
    expect(authorise("merge", 8, role("admin")).allowed).toBe(false);
    expect(authorise("help", 8, null).allowed).toBe(true);
  });
});

describe("decideTrust", () => {
  const rules = { workflow: RESULT_WORKFLOW, repositoryId: 1, defaultBranch: "main" };
  const run: RunFacts = {
    id: 5,
    attempt: 1,
    path: RESULT_WORKFLOW,
    event: "pull_request_target",
    status: "completed",
    conclusion: "success",
    repositoryId: 1,
    headRepositoryId: 2,
    headBranch: "result",
    headSha: hex("1"),
    headOwner: "sam",
    title: "",
    url: "",
    createdAt: "2026-12-01T00:00:00Z",
    actorId: 9,
    startedAt: "2026-12-01T00:00:00Z",
    updatedAt: "2026-12-01T00:00:00Z",
  };
  const trusted = (changes: Partial<RunFacts>, workflow = RESULT_WORKFLOW): boolean =>
    decideTrust({ ...run, ...changes }, { ...rules, workflow }).trusted;

  it("takes a fork's run of the default branch's workflow", () => {
    expect(trusted({})).toBe(true);
    expect(trusted({ path: `${RESULT_WORKFLOW}@main` })).toBe(true);
    expect(trusted({ path: `${RESULT_WORKFLOW}@refs/heads/main` })).toBe(true);
  });
  it("takes dispatches only on this repository's default branch", () => {
    expect(trusted({ event: "workflow_dispatch", headBranch: "main", headRepositoryId: 1 })).toBe(true);
    expect(trusted({ event: "workflow_dispatch", headBranch: "main", headRepositoryId: 2 })).toBe(false);
    expect(trusted({ event: "workflow_dispatch", headBranch: "x", headRepositoryId: 1 })).toBe(false);
  });
  it("takes nothing else", () => {
    expect(trusted({ path: ".github/workflows/result-pr.yaml" })).toBe(false);
    expect(trusted({ path: `evil/${RESULT_WORKFLOW}` })).toBe(false);
    expect(trusted({ path: `${RESULT_WORKFLOW}@refs/pull/3/merge` })).toBe(false);
    expect(trusted({ repositoryId: 2 })).toBe(false);
    expect(trusted({ status: "in_progress" })).toBe(false);
    for (const event of [
      "pull_request",
      "merge_group",
      "push",
      "issue_comment",
      "schedule",
      "workflow_run",
    ]) {
      expect(trusted({ event })).toBe(false);
    }
  });
  it("takes a feed from pushes to the default branch, never from pull requests", () => {
    const feed = { path: FEED_WORKFLOW, headRepositoryId: 1, headBranch: "main" };
    expect(trusted({ ...feed, event: "push" }, FEED_WORKFLOW)).toBe(true);
    expect(trusted({ ...feed, event: "push", headBranch: "x" }, FEED_WORKFLOW)).toBe(false);
    expect(trusted({ ...feed, event: "pull_request_target" }, FEED_WORKFLOW)).toBe(false);
  });
});

describe("memos", () => {
  it("come back as they went", () => {
    const memo: MergeMemo = {
      pull: 4,
      head: hex("a"),
      by: 7,
      comment: 99,
      asked: 900,
      tries: 2,
      dispatched: null,
      after: 0,
      at: 0,
    };
    expect(parseMemo(formatMemo(memo))).toEqual(memo);
    const sent = { ...memo, dispatched: hex("b"), after: 12, at: 1_800_000_000 };
    expect(parseMemo(formatMemo(sent))).toEqual(sent);
    expect(formatMemo(sent).length).toBeLessThan(255);
    const verdict = {
      run: 3,
      attempt: 2,
      verdict: "needs-review" as const,
      notes: "0123abcd",
      evidence: ["0123456789ab"],
    };
    expect(parseVerdict(formatVerdict(verdict))).toEqual(verdict);
    const accept = { by: 7, login: "wal-t_x", comment: 9 };
    expect(parseAccept(formatAccept(accept))).toEqual(accept);
  });
  it("are not read from anything else", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseMemo(text)).toBeNull();
        expect(parseVerdict(text)).toBeNull();
        expect(parseAccept(text)).toBeNull();
      }),
    );
    expect(parseVerdict("result run=1 attempt=1 verdict=splendid notes=01234567")).toBeNull();
  });
  it("an older run never replaces a newer one's verdict", () => {
    const standing = { run: 5, attempt: 2, verdict: "valid" as const, notes: "", evidence: [] };
    expect(isNewer({ id: 4, attempt: 9 }, standing)).toBe(false);
    expect(isNewer({ id: 5, attempt: 1 }, standing)).toBe(false);
    expect(isNewer({ id: 5, attempt: 2 }, standing)).toBe(true);
    expect(isNewer({ id: 6, attempt: 1 }, standing)).toBe(true);
    expect(isNewer({ id: 1, attempt: 1 }, null)).toBe(true);
  });
  it("trailers say whom the lock serves", () => {
    expect(parseTrailers(mergeMessage(12, hex("c")))).toEqual({ pullRequest: 12, head: hex("c") });
    expect(parseTrailers("Fix a bug")).toEqual({ pullRequest: null, head: null });
    expect(parseSourceTree(publishMessage(hex("d"), hex("e")))).toBe(hex("d"));
  });
});

describe("whose comment it is", () => {
  const identity = { appId: 10, botUserId: 20 };
  const body = `<!-- assay:result head=${hex("1")} kind=verdict -->`;
  const comment = (changes: object) => ({
    id: 1,
    body,
    userId: 20,
    userType: "Bot",
    appId: 10,
    createdAt: "",
    updatedAt: "",
    ...changes,
  });
  it("is decided by ids alone", () => {
    expect(isOurs(comment({}), identity)).toBe(true);
    expect(isOurs(comment({ appId: null }), identity)).toBe(true);
    expect(isOurs(comment({ appId: 11 }), identity)).toBe(false);
    expect(isOurs(comment({ appId: null, userId: 21 }), identity)).toBe(false);
    // A person who comments through some app of theirs, with our app's id or not, is a person.
    expect(isOurs(comment({ userType: "User" }), identity)).toBe(false);
  });
  it("takes the oldest of ours", () => {
    const all = [
      comment({ id: 9 }),
      comment({ id: 3 }),
      comment({ id: 1, userType: "User" }),
      comment({ id: 2, body: "x" }),
    ];
    expect(findSticky(all, identity)?.id).toBe(3);
  });
});

describe("decidePublish", () => {
  const facts = {
    runSha: hex("1"),
    runTree: hex("2"),
    mainSha: hex("1"),
    mainTree: hex("2"),
    namedTrees: [hex("2"), hex("2")],
    publishedSource: null,
  };
  it("commits what was made from the base's very tree, once", () => {
    expect(decidePublish(facts).do).toBe("commit");
    expect(decidePublish({ ...facts, mainSha: hex("9") }).do).toBe("commit");
    expect(decidePublish({ ...facts, publishedSource: hex("2") }).do).toBe("skip");
    expect(decidePublish({ ...facts, mainTree: hex("3") }).do).toBe("skip");
    expect(decidePublish({ ...facts, namedTrees: [hex("2"), hex("3")] }).do).toBe("reject");
    expect(decidePublish({ ...facts, namedTrees: [] }).do).toBe("reject");
  });
});

describe("decideMerge", () => {
  const memo: MergeMemo = {
    pull: 4,
    head: SHA.head,
    by: 7,
    comment: 99,
    asked: 900,
    tries: 1,
    dispatched: SHA.tree,
    after: 0,
    at: 1000,
  };
  const holder: RequestFacts = {
    request: { checkId: 1, memo },
    pull: {
      number: 4,
      open: true,
      merged: false,
      draft: false,
      headSha: SHA.head,
      headRepositoryId: 2,
      headBranch: "result",
      baseRef: "main",
      createdAt: "2026-12-01T00:00:00Z",
      updatedAt: "",
      mergeable: null,
      labels: [],
    },
    verdict: "valid",
    accepted: false,
    held: false,
  };
  const lock = {
    sha: SHA.tree,
    tree: hex("6"),
    parents: [SHA.base, SHA.head],
    pullRequest: 4,
    head: SHA.head,
  };
  const merged = report({
    mode: "merge",
    commit_sha: SHA.tree,
    tree_sha: hex("6"),
    merge_base_sha: SHA.base,
  });
  const facts: MergeFacts = {
    defaultBranch: "main",
    landed: false,
    mainSha: SHA.base,
    lock,
    holder,
    queue: [],
    run: { state: "report", report: merged, unseenFindings: false },
    now: 1010,
  };

  it("moves main only with a valid report on exactly this commit, tree, head and base", () => {
    expect(decideMerge(facts)).toMatchObject({ do: "move-main" });
    const flaws: Partial<typeof merged>[] = [
      { verdict: "invalid" },
      { verdict: "incomplete" },
      { verdict: "needs-review" },
      { verdict: "error" },
      { commit_sha: hex("9") },
      { tree_sha: hex("9") },
      { tree_sha: null },
      { head_sha: hex("9") },
      { base_sha: hex("9") },
      { pull_request: 5 },
      { pull_request: null },
      { mode: "head" },
      { mode: "local" },
    ];
    for (const flaw of flaws) {
      const run = { state: "report" as const, report: { ...merged, ...flaw }, unseenFindings: false };
      expect(decideMerge({ ...facts, run }).do).toBe("refuse");
    }
  });

  it("never moves main otherwise, whatever the facts", () => {
    const verdicts = ["valid", "invalid", "incomplete", "needs-review", "error"] as const;
    const shas = [SHA.head, SHA.base, SHA.tree, hex("6"), hex("9")];
    fc.assert(
      fc.property(
        fc.record({
          mainSha: fc.constantFrom(...shas),
          lock: fc.option(
            fc.record({
              sha: fc.constantFrom(...shas),
              tree: fc.constantFrom(...shas),
              parents: fc.array(fc.constantFrom(...shas), { minLength: 1, maxLength: 2 }),
              pullRequest: fc.option(fc.constantFrom(4, 5)),
              head: fc.option(fc.constantFrom(...shas)),
            }),
          ),
          landed: fc.boolean(),
          open: fc.boolean(),
          merged: fc.boolean(),
          headSha: fc.constantFrom(...shas),
          verdict: fc.option(fc.constantFrom(...verdicts)),
          accepted: fc.boolean(),
          held: fc.boolean(),
          onHold: fc.boolean(),
          dispatched: fc.option(fc.constantFrom(...shas)),
          mergedVerdict: fc.constantFrom(...verdicts),
          unseen: fc.boolean(),
          commit: fc.constantFrom(...shas),
          tree: fc.constantFrom(...shas),
          base: fc.constantFrom(...shas),
        }),
        (given) => {
          const request: RequestFacts = {
            request: { checkId: 1, memo: { ...memo, dispatched: given.dispatched } },
            pull: { ...holder.pull, open: given.open, merged: given.merged, headSha: given.headSha },
            verdict: given.verdict,
            accepted: given.accepted,
            held: given.onHold,
          };
          const judged = {
            ...merged,
            verdict: given.mergedVerdict,
            commit_sha: given.commit,
            tree_sha: given.tree,
            base_sha: given.base,
          };
          const step = decideMerge({
            defaultBranch: "main",
            landed: given.landed,
            mainSha: given.mainSha,
            lock: given.lock,
            holder: given.held ? request : null,
            queue: given.held ? [] : [request],
            run: { state: "report", report: judged, unseenFindings: given.unseen },
            now: 1010,
          });
          if (step.do !== "move-main") return;
          expect(given.lock?.parents).toEqual([given.mainSha, SHA.head]);
          expect(given.headSha).toBe(SHA.head);
          expect(given.open && !given.merged && !given.onHold).toBe(true);
          expect([given.commit, given.tree, given.base]).toEqual([
            given.lock?.sha,
            given.lock?.tree,
            given.mainSha,
          ]);
          const fine = (verdict: string | null, accepted: boolean) =>
            verdict === "valid" || (verdict === "needs-review" && accepted);
          expect(fine(given.verdict, given.accepted)).toBe(true);
          expect(fine(given.mergedVerdict, given.accepted && !given.unseen)).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it.each([
    ["closed", { open: false }],
    ["merged-otherwise", { open: false, merged: true }],
    ["draft", { draft: true }],
    ["wrong-base", { baseRef: "other" }],
    ["head-moved", { headSha: hex("9") }],
  ])("refuses what is %s by now, in the queue as under the lock", (why, changes) => {
    const changed = { ...holder, pull: { ...holder.pull, ...changes } };
    const refused = { do: "refuse", refusal: { why } };
    expect(decideMerge({ ...facts, holder: changed })).toMatchObject(refused);
    expect(decideMerge({ ...facts, lock: null, holder: null, queue: [changed] })).toMatchObject(refused);
  });

  it("takes requests in the order in which they were made, and says who waits behind whom", () => {
    const of = (number: number, asked: number, comment = number): RequestFacts => ({
      ...holder,
      pull: { ...holder.pull, number },
      request: { checkId: number, memo: { ...memo, pull: number, asked, comment } },
    });
    const queue = [of(9, 30), of(7, 20, 5), of(8, 20, 4), of(6, 20, 5)].sort(byTurn);
    expect(queue.map(({ pull }) => pull.number)).toEqual([8, 6, 7, 9]);
    expect(queuePlaces({ holder, queue: queue.slice(0, 2) }, "now").map(({ place }) => place)).toEqual([
      { position: 2, behind: 4, first: { pull: 4, since: "now" } },
      { position: 3, behind: 8, first: { pull: 4, since: "now" } },
    ]);
    expect(queuePlaces({ holder: null, queue }, null)[0]?.place).toEqual({
      position: 1,
      behind: null,
      first: null,
    });
  });

  it("rebuilds when the base moved, a bounded number of times", () => {
    expect(decideMerge({ ...facts, mainSha: hex("9") })).toMatchObject({ do: "rebuild", base: hex("9") });
    const tired = { ...holder, request: { checkId: 1, memo: { ...memo, tries: MAX_TRIES } } };
    expect(decideMerge({ ...facts, holder: tired, mainSha: hex("9") })).toMatchObject({
      do: "refuse",
      refusal: { why: "base-keeps-moving" },
    });
  });

  it("waits, dispatches, and dispatches again when nothing showed up", () => {
    expect(decideMerge({ ...facts, run: { state: "running" } }).do).toBe("wait");
    expect(decideMerge({ ...facts, run: { state: "none" } }).do).toBe("wait");
    expect(decideMerge({ ...facts, run: { state: "none" }, now: 1000 + 181 }).do).toBe("dispatch");
    const unsent = { ...holder, request: { checkId: 1, memo: { ...memo, dispatched: null } } };
    expect(decideMerge({ ...facts, holder: unsent, run: { state: "none" } }).do).toBe("dispatch");
  });

  it("finishes what is merged, gives back what nobody needs, and is idle otherwise", () => {
    expect(decideMerge({ ...facts, mainSha: lock.sha, landed: true }).do).toBe("finish");
    // Others came on top, or the branch moved on meanwhile: it is in the base all the same.
    const moved = { ...holder, pull: { ...holder.pull, headSha: hex("9") } };
    expect(decideMerge({ ...facts, mainSha: hex("8"), landed: true, holder: moved }).do).toBe("finish");
    // The base is where the lock was taken: nothing is merged yet.
    const taken = { ...lock, sha: SHA.base, parents: [hex("8")] };
    expect(decideMerge({ ...facts, lock: taken, landed: true })).toMatchObject({
      do: "build",
      request: holder.request,
    });
    expect(decideMerge({ ...facts, holder: null }).do).toBe("release");
    expect(decideMerge({ ...facts, holder: null, lock: null }).do).toBe("idle");
    expect(decideMerge({ ...facts, holder: null, lock: null, queue: [holder] })).toMatchObject({
      do: "take-lock",
      base: SHA.base,
    });
    expect(
      decideMerge({ ...facts, holder: null, lock: { ...lock, sha: SHA.base }, queue: [holder] }).do,
    ).toBe("build");
    expect(decideMerge({ ...facts, holder: null, queue: [holder] }).do).toBe("release");
  });
});
