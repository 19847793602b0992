import { Octokit } from "octokit";
import { resultPath } from "../../src/lib/benchmarks/result-path.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import type { LocalHub } from "../hub/index.ts";
import type { Deed } from "./plan.ts";

export const OWNER = "assay-office";
export const REPO = "assay";
/** Maintains the repository. */
export const MAINTAINER = "mia";
/** Send results, each from a fork of their own. */
export const SENDERS = ["ada", "ben", "cleo", "dan", "eve", "finn"] as const;

/** What a head brings. */
export interface Brought {
  /** Path of the result that it adds; null when it adds none. */
  readonly path: string | null;
  /** Whether what it says is what recomputing gives. */
  readonly honest: boolean;
}

/** A pull request of a burst as its sender knows it. */
export interface Sent {
  readonly number: number;
  readonly sender: string;
  readonly branch: string;
  /** Every head that was ever pushed, oldest first. */
  readonly heads: Map<string, Brought>;
}

const newest = ({ heads }: Sent): [head: string, brought: Brought] => {
  const last = [...heads].at(-1);
  if (last === undefined) throw new Error("a pull request without a head");
  return last;
};

/** Does what the plan says, as people do it over the API. */
export class People {
  /** By the plan's numbers. */
  readonly sent = new Map<number, Sent>();
  readonly #hub: LocalHub;
  readonly #documentAt: (n: number) => ResultDocument;
  #documents = 0;

  constructor(hub: LocalHub, documentAt: (n: number) => ResultDocument) {
    this.#hub = hub;
    this.#documentAt = documentAt;
  }

  as(login: string): Octokit {
    return new Octokit({
      baseUrl: this.#hub.url,
      auth: this.#hub.userToken(login),
      retry: { enabled: false },
      throttle: { enabled: false },
    });
  }

  async act(deed: Deed): Promise<void> {
    if (deed.do === "open") return this.#open(deed.pull, deed.brings);
    const sent = this.sent.get(deed.pull);
    if (sent === undefined) return;
    if (deed.do === "push") return this.#push(sent, deed.brings);
    if (deed.do === "merge") return this.#say(MAINTAINER, sent, "/assay merge");
    if (deed.do === "close") {
      await this.as(MAINTAINER).rest.pulls.update({
        owner: OWNER,
        repo: REPO,
        pull_number: sent.number,
        state: "closed",
      });
      return;
    }
    if (deed.says === "talk") return this.#say(sent.sender, sent, "Thank you for looking at this.");
    if (deed.says === "quoted") return this.#say(MAINTAINER, sent, "> /assay merge\n\nLater, perhaps.");
    return this.#say(sent.sender, sent, "/assay merge");
  }

  async #say(login: string, { number }: Sent, body: string): Promise<void> {
    await this.as(login).rest.issues.createComment({ owner: OWNER, repo: REPO, issue_number: number, body });
  }

  /** Files of the next result: honest, or with a score somewhat better than it is. */
  #result(honest: boolean): { path: string; text: string } {
    this.#documents += 1;
    const made = this.#documentAt(this.#documents);
    const composite = Number(Math.min(1, made.composite * 0.9 + 0.1).toFixed(6));
    // A perfect score cannot be raised; its claim is lowered then, which is as wrong.
    const raised = composite === made.composite ? made.composite - 0.01 : composite;
    const document = honest ? made : { ...made, composite: Number(raised.toFixed(6)) };
    return { path: resultPath(document), text: canonicalDocument(document) };
  }

  async #open(pull: number, brings: "honest" | "raised" | "nothing"): Promise<void> {
    const sender = SENDERS[pull % SENDERS.length] ?? SENDERS[0];
    await this.#hub.fork(OWNER, REPO, sender);
    const octokit = this.as(sender);
    const fork = { owner: sender, repo: REPO };
    const start = await tipOf(octokit, fork, "main");
    const honest = brings !== "raised";
    const file = brings === "nothing" ? { path: `docs/${pull}.md`, text: "A word.\n" } : this.#result(honest);
    const head = await commit(octokit, fork, start, [{ path: file.path, content: file.text }]);
    const branch = `result-${pull}`;
    await octokit.rest.git.createRef({ ...fork, ref: `refs/heads/${branch}`, sha: head });
    const { data } = await octokit.rest.pulls.create({
      owner: OWNER,
      repo: REPO,
      title: `Result ${pull}`,
      head: `${sender}:${branch}`,
      base: "main",
    });
    const path = brings === "nothing" ? null : file.path;
    this.sent.set(pull, { number: data.number, sender, branch, heads: new Map([[head, { path, honest }]]) });
  }

  async #push(sent: Sent, brings: "honest" | "raised"): Promise<void> {
    const octokit = this.as(sent.sender);
    const fork = { owner: sent.sender, repo: REPO };
    const file = this.#result(brings === "honest");
    const [parent, { path }] = newest(sent);
    const gone = path === null ? [] : [{ path, content: null }];
    const head = await commit(octokit, fork, parent, [...gone, { path: file.path, content: file.text }]);
    await octokit.rest.git.updateRef({ ...fork, ref: `heads/${sent.branch}`, sha: head, force: true });
    // A pull request that brought another file still carries it, and mixing is a finding.
    const mixed = [...sent.heads.values()].some((before) => before.path === null);
    sent.heads.set(head, { path: file.path, honest: brings === "honest" && !mixed });
  }
}

interface Where {
  readonly owner: string;
  readonly repo: string;
}

const tipOf = async (octokit: Octokit, where: Where, branch: string): Promise<string> =>
  (await octokit.rest.git.getRef({ ...where, ref: `heads/${branch}` })).data.object.sha;

async function commit(
  octokit: Octokit,
  where: Where,
  parent: string,
  files: readonly { readonly path: string; readonly content: string | null }[],
): Promise<string> {
  const base = await octokit.rest.git.getCommit({ ...where, commit_sha: parent });
  const tree = await octokit.rest.git.createTree({
    ...where,
    base_tree: base.data.tree.sha,
    tree: files.map(({ path, content }) => ({
      path,
      mode: "100644" as const,
      type: "blob" as const,
      ...(content === null ? { sha: null } : { content }),
    })),
  });
  const made = await octokit.rest.git.createCommit({
    ...where,
    message: "A result",
    tree: tree.data.sha,
    parents: [parent],
  });
  return made.data.sha;
}
