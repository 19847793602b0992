/** One run of a workflow: its concurrency, its graph of jobs, its conclusion. */

import type { Conclusion } from "../hub/contract.ts";
import { type GroupRequest, readConcurrency } from "./concurrency.ts";
import { githubContext, type RunInfo } from "./contexts.ts";
import { asText, evaluateCondition, evaluateToken, type Scope, toData } from "./expressions.ts";
import { type JobInstance, runInstance } from "./instance.ts";
import { type Combination, combinationLabel, readStrategy, type Strategy } from "./matrix.ts";
import type { RunHandle, Services } from "./services.ts";
import type { Job } from "./workflow.ts";

export type NodeResult = "success" | "failure" | "cancelled" | "skipped";

interface JobNode {
  readonly result: NodeResult;
  readonly outputs: Readonly<Record<string, string>>;
}

export class WorkflowRun implements RunHandle {
  readonly services: Services;
  readonly info: RunInfo;
  readonly #cancel = new AbortController();
  readonly #nodes = new Map<string, Promise<JobNode>>();
  readonly #results = new Map<string, JobNode>();
  #reason: string | undefined;

  constructor(services: Services, info: RunInfo) {
    this.services = services;
    this.info = info;
  }

  get cancellation(): AbortSignal {
    return this.#cancel.signal;
  }

  cancel(reason: string): void {
    this.#reason ??= reason;
    this.#cancel.abort();
  }

  /** What events of this run carry. */
  get tag(): { readonly runId: number; readonly workflow: string } {
    return { runId: this.info.runId, workflow: this.info.workflow.name };
  }

  /** Runs everything and completes the run in the hub. */
  async execute(): Promise<void> {
    const { workflow } = this.info;
    if (workflow.unsupported.length > 0) return this.fail(workflow.unsupported);
    let request: GroupRequest | null;
    let title: string | undefined;
    try {
      if (workflow.runName !== undefined) {
        title = asText(evaluateToken(workflow.runName, this.#scope({})), "run-name");
        this.services.hub.actions.nameRun(this.info.runId, title);
      }
      request = readConcurrency(workflow.concurrency, this.#scope({}), (reason) => this.cancel(reason));
    } catch (error) {
      return this.fail([error instanceof Error ? error.message : String(error)]);
    }
    this.services.hub.actions.onCancel(this.info.runId, () => this.cancel("somebody cancelled it"));
    const { event } = this.info.trigger;
    const queued = { type: "run-queued" as const, event, path: workflow.path, ...this.tag };
    this.services.emit(title === undefined ? queued : { ...queued, title });
    const leave = request && (await this.services.groups.enter(request, this.cancellation));
    if (request !== null && leave === null) {
      this.#reason ??= `displaced in concurrency group '${request.group}'`;
      return this.#complete("cancelled");
    }
    try {
      this.services.hub.actions.startRun(this.info.runId);
      this.services.emit({ type: "run-started", ...this.tag });
      await Promise.all(workflow.jobs.map((job) => this.#node(job)));
      this.#complete(this.#conclusion());
    } finally {
      leave?.();
    }
  }

  /** Ends a run that cannot start, with the reasons in the log of one job. */
  fail(messages: readonly string[]): void {
    const { actions } = this.services.hub;
    const { runId } = this.info;
    actions.startRun(runId);
    const job = "workflow file";
    const jobId = actions.createJob(runId, job);
    this.services.emit({ type: "job-started", jobId, job, ...this.tag });
    for (const message of messages) {
      const annotation = { level: "error" as const, message, file: this.info.workflow.path };
      this.services.emit({ type: "annotation", annotation, jobId, job, ...this.tag });
    }
    actions.completeJob(runId, jobId, "failure", messages.map((message) => `##[error]${message}\n`).join(""));
    this.services.emit({ type: "job-completed", jobId, job, conclusion: "failure", ...this.tag });
    this.#complete("failure");
  }

  #complete(conclusion: Conclusion): void {
    this.services.hub.actions.completeRun(this.info.runId, conclusion);
    const completed = { type: "run-completed" as const, conclusion, ...this.tag };
    this.services.emit(this.#reason === undefined ? completed : { ...completed, reason: this.#reason });
  }

  #conclusion(): Conclusion {
    const results = [...this.#results.values()].map((node) => node.result);
    if (this.cancellation.aborted) return "cancelled";
    if (results.includes("failure")) return "failure";
    if (results.includes("cancelled")) return "cancelled";
    return results.every((result) => result === "skipped") ? "skipped" : "success";
  }

  #node(job: Job): Promise<JobNode> {
    const known = this.#nodes.get(job.id);
    if (known) return known;
    // The parser has refused cycles and unknown needs.
    const needed = this.info.workflow.jobs.filter((other) => job.needs.includes(other.id));
    const started = (async () => {
      await Promise.all(needed.map((other) => this.#node(other)));
      const node = await this.#runJob(job);
      this.#results.set(job.id, node);
      return node;
    })();
    this.#nodes.set(job.id, started);
    return started;
  }

  async #runJob(job: Job): Promise<JobNode> {
    let strategy: Strategy;
    const scope = this.#jobScope(job);
    try {
      if (!evaluateCondition(job.if, scope)) return this.#skip(job, scope);
      if (job.unsupported.length > 0) return this.#refuse(job, job.unsupported);
      strategy = readStrategy(job.strategy, scope);
    } catch (error) {
      return this.#refuse(job, [error instanceof Error ? error.message : String(error)]);
    }
    return this.#runMatrix(job, strategy);
  }

  async #runMatrix(job: Job, strategy: Strategy): Promise<JobNode> {
    const { combinations } = strategy;
    const failFast = new AbortController();
    const cancellation = AbortSignal.any([this.cancellation, failFast.signal]);
    const results: NodeResult[] = [];
    let outputs: Record<string, string> = {};
    const waiting = combinations.map((combination, index) => ({ combination, index }));
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const instance = this.#instance(job, strategy, next.combination, next.index);
        const outcome = await runInstance(this, instance, cancellation);
        if (outcome.conclusion === "failure" && !outcome.forgiven && strategy.failFast) failFast.abort();
        results.push(outcome.forgiven && outcome.conclusion === "failure" ? "success" : outcome.conclusion);
        // The last combination to finish wins, but an empty value does not displace one that is set.
        const set = Object.entries(outcome.outputs).filter(
          ([name, value]) => value !== "" || !(name in outputs),
        );
        outputs = { ...outputs, ...Object.fromEntries(set) };
      }
    };
    await Promise.all(Array.from({ length: Math.min(strategy.maxParallel, combinations.length) }, worker));
    const result = (["failure", "cancelled"] as const).find((bad) => results.includes(bad)) ?? "success";
    return { result, outputs };
  }

  #instance(job: Job, strategy: Strategy, combination: Combination, index: number): JobInstance {
    const total = strategy.combinations.length;
    const contexts = {
      needs: this.#needs(job),
      matrix: strategy.hasMatrix ? combination : null,
      strategy: {
        "fail-fast": strategy.failFast,
        "job-index": index,
        "job-total": total,
        "max-parallel": Math.min(strategy.maxParallel, total),
      },
    };
    const scope = this.#scope(contexts);
    return { job, contexts, scope, name: jobName(job, scope, strategy.hasMatrix ? combination : {}) };
  }

  #skip(job: Job, scope: Scope): JobNode {
    const { actions } = this.services.hub;
    const conclusion = this.cancellation.aborted ? "cancelled" : "skipped";
    const name = jobName(job, scope, {});
    const jobId = actions.createJob(this.info.runId, name);
    actions.completeJob(this.info.runId, jobId, conclusion, "");
    this.services.emit({ type: "job-completed", jobId, job: name, conclusion, ...this.tag });
    return { result: conclusion, outputs: {} };
  }

  #refuse(job: Job, messages: readonly string[]): JobNode {
    this.failJob(jobName(job, this.#scope({ needs: this.#needs(job) }), {}), messages);
    return { result: "failure", outputs: {} };
  }

  /** Makes a job that has failed before its first step. */
  failJob(name: string, messages: readonly string[]): void {
    const { actions } = this.services.hub;
    const jobId = actions.createJob(this.info.runId, name);
    this.services.emit({ type: "job-started", jobId, job: name, ...this.tag });
    for (const message of messages) {
      this.services.emit({
        type: "annotation",
        annotation: { level: "error", message },
        jobId,
        job: name,
        ...this.tag,
      });
    }
    const log = messages.map((message) => `##[error]${message}\n`).join("");
    actions.completeJob(this.info.runId, jobId, "failure", log);
    this.services.emit({ type: "job-completed", jobId, job: name, conclusion: "failure", ...this.tag });
  }

  #needs(job: Job): Record<string, JobNode> {
    return Object.fromEntries(
      job.needs.map((id) => [id, this.#results.get(id) ?? { result: "skipped" as const, outputs: {} }]),
    );
  }

  #scope(contexts: Readonly<Record<string, unknown>>): Scope {
    return {
      contexts: {
        ...Object.fromEntries(Object.entries(contexts).map(([name, value]) => [name, toData(value)])),
        github: toData(githubContext(this.info)),
        inputs: toData(this.info.inputs),
        vars: toData(this.info.vars),
      },
    };
  }

  /** What the `if` of a job sees. `success()` and `failure()` look at every ancestor, not only at the direct needs. */
  #jobScope(job: Job): Scope {
    const ancestors = new Set<string>();
    const collect = (id: string) => {
      const found = this.info.workflow.jobs.find((other) => other.id === id);
      for (const need of found?.needs ?? []) {
        if (ancestors.has(need)) continue;
        ancestors.add(need);
        collect(need);
      }
    };
    collect(job.id);
    const among = (names: readonly string[]) =>
      (names.length > 0 ? names : [...ancestors]).map((id) => this.#results.get(id)?.result);
    return {
      ...this.#scope({ needs: this.#needs(job) }),
      status: {
        success: (names) =>
          !this.cancellation.aborted && among(names).every((result) => result === "success"),
        failure: (names) => !this.cancellation.aborted && among(names).includes("failure"),
        cancelled: () => this.cancellation.aborted,
      },
    };
  }
}

function jobName(job: Job, scope: Scope, combination: Combination): string {
  const label = combinationLabel(combination);
  const suffix = label === "" ? "" : ` (${label})`;
  if (job.name === undefined) return `${job.id}${suffix}`;
  try {
    const name = asText(evaluateToken(job.name, scope), "name");
    return job.name.isExpression ? name || job.id : `${name || job.id}${suffix}`;
  } catch {
    // A skipped job has no matrix to complete its name with.
    return job.id;
  }
}
