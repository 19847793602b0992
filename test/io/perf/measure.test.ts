import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { launchProcess } from "../../../src/io/perf/launch.ts";
import { type Measurement, measure } from "../../../src/io/perf/measure.ts";
import { choosePinning } from "../../../src/io/perf/process-facts.ts";
import { seedCase } from "../../../src/lib/perf/cases.ts";
import { LOOKS } from "../../../src/lib/perf/rule.ts";
import { compileShims, type Shims } from "./shim.ts";

const shims = compileShims();
afterAll(() => shims !== null && rmSync(shims.folder, { recursive: true, force: true }));

/** The compiled fixture; where there is no compiler the test is skipped, except in CI, which has one. */
function need(ctx: TestContext): Shims {
  if (shims === null) {
    if (process.env.CI) expect.fail("gcc belongs to the CI image");
    ctx.skip("there is no gcc here");
    throw new Error("skipped");
  }
  return shims;
}

interface Given {
  readonly candidate: readonly string[];
  readonly reference: readonly string[];
  readonly digests?: readonly [string, string];
  readonly timeoutMs?: number;
  readonly core?: number | null;
  readonly readChanges?: () => Promise<readonly string[]>;
}

const run = ({ candidate, reference, digests, timeoutMs = 20_000, core = null, readChanges }: Given) =>
  measure({
    metrics: [
      {
        id: "time",
        caseOf: seedCase,
        candidate: { argv: candidate, digest: digests?.[0] ?? null },
        reference: { argv: reference, digest: digests?.[1] ?? null },
      },
    ],
    seed: "test",
    surroundings: {
      launch: launchProcess,
      cwd: "/",
      env: { PATH: process.env.PATH ?? "" },
      core,
      limits: { timeoutMs, maxOutputBytes: 1 << 20, maxMemoryBytes: 128 << 20 },
    },
    readChanges: readChanges ?? (async () => []),
    minBatchNs: 4_000_000,
    warmUpNs: 0,
  });

const samplesOf = ({ attempts }: Measurement) => attempts.flatMap(({ samples }) => samples);

describe("two programs that do the same", () => {
  it("are measured in rounds of fresh processes until a look, every raw sample kept", async (ctx) => {
    const { program, slower } = need(ctx);
    const measured = await run({ candidate: [slower], reference: [program], core: choosePinning().core });
    expect(measured.failure).toBeNull();
    const [metric] = measured.metrics;
    expect(LOOKS).toContain(metric?.pairs.length);
    expect(metric?.noise).toHaveLength(metric!.pairs.length);
    expect(measured.analysis?.pairs).toBe(metric?.pairs.length);
    // It does half as much work again.
    expect(measured.analysis?.speed.ratio).toBeGreaterThan(0.4);
    expect(measured.analysis?.speed.ratio).toBeLessThan(0.95);
    expect(measured.iterations.time).toBeGreaterThan(10);
    const last = measured.attempts.at(-1)!.samples;
    const judged = last.filter(({ part }) => part === "judged");
    expect(judged.map(({ ns }) => ns).toSorted()).toEqual(
      metric!.pairs.flatMap(({ candidate, reference }) => [candidate, reference]).toSorted(),
    );
    // The order of the pairs changes.
    expect(new Set(judged.filter((_, index) => index % 2 === 0).map(({ role }) => role)).size).toBe(2);
    expect(last.filter(({ part }) => part === "warm-up").length).toBeGreaterThanOrEqual(6);
  }, 120_000);

  it("F64: are 1.00 when their digests are equal; the reference is timed against itself all the same", async (ctx) => {
    const { program } = need(ctx);
    // What stands in the candidate's place is never started.
    const measured = await run({
      candidate: ["/no/such/program"],
      reference: [program],
      digests: ["d", "d"],
    });
    expect(measured.failure).toBeNull();
    expect(measured.analysis?.speed).toEqual({ ratio: 1, interval: { low: 1, high: 1 } });
    expect(measured.analysis?.verdict).toBe("same");
    expect(new Set(samplesOf(measured).map(({ role }) => role))).toEqual(new Set(["reference", "again"]));
    const noise = measured.metrics[0]!.noise;
    expect(noise).toHaveLength(15);
    expect(noise.some(({ candidate, reference }) => candidate !== reference)).toBe(true);
  }, 60_000);

  it("are disturbed, and measured again, when the host changed meanwhile", async (ctx) => {
    const { program, copy } = need(ctx);
    const measured = await run({
      candidate: [copy],
      reference: [program],
      readChanges: async () => ["the governor changed"],
    });
    expect(measured.attempts).toHaveLength(2);
    expect(measured.analysis?.flags).toContain("disturbed");
    expect(measured.analysis?.verdict).toBe("inconclusive");
  }, 120_000);
});

describe("F69: a candidate that", () => {
  it.each([
    ["gives another output", "wrong", "output", /not that of the reference/],
    ["dies while it works", "crash", "crash", /SIGABRT/],
    ["ends with an error after its answer", "status", "crash", /exit code 3/],
    ["answers nonsense", "garbage", "protocol", /begins with byte 104/],
    ["answers before it is told to work", "early", "protocol", /begins with byte 68/],
    ["says more than its answer", "talk", "protocol", /too many|nobody had asked/],
    ["takes more memory than it may", "memory", "memory", /limit is 134217728/],
    ["announces an output larger than it may be", "huge", "output-size", /1073741824 bytes/],
    ["never answers", "hang", "timeout", /no "done" within 1000 ms/],
  ] as const)("%s is at fault", async (_, way, kind, message, ctx?: unknown) => {
    const { program } = need(ctx as TestContext);
    if (way === "memory" && process.platform !== "linux") return;
    const measured = await run({
      candidate: [program, way],
      reference: [program],
      ...(way === "hang" ? { timeoutMs: 1000 } : {}),
    });
    expect(measured.failure).toMatchObject({ whose: "candidate", kind, metric: "time" });
    expect(measured.failure?.message).toMatch(message);
    expect(measured.analysis).toBeNull();
  });

  it("cannot be started is at fault, pinned or not", async (ctx) => {
    const { program } = need(ctx);
    for (const core of [null, choosePinning().core]) {
      const measured = await run({ candidate: ["/no/such/program"], reference: [program], core });
      expect(measured.failure).toMatchObject({ whose: "candidate", kind: "start" });
    }
  });

  it("leaves the core that it was given is at fault", async (ctx) => {
    const { program } = need(ctx);
    const { core } = choosePinning();
    if (core === null || availableParallelism() < 2) return ctx.skip("there is nothing to pin to here");
    const measured = await run({ candidate: [program, "unpin"], reference: [program], core });
    expect(measured.failure).toMatchObject({ whose: "candidate", kind: "affinity" });
  });

  it("leaves a process behind has it ended", async (ctx) => {
    const { program } = need(ctx);
    await run({ candidate: [program, "leave"], reference: [program] });
    const left = (): number =>
      spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout.match(/^sleep 977$/gm)?.length ?? 0;
    // The last one may still be dying.
    await expect.poll(left, { timeout: 5000 }).toBe(0);
  }, 120_000);
});

describe("it is our fault", () => {
  it("when the reference fails", async (ctx) => {
    const { program, copy } = need(ctx);
    const measured = await run({ candidate: [copy], reference: [program, "crash"] });
    expect(measured.failure).toMatchObject({ whose: "ours", kind: "crash" });
  });

  it("when the reference gives two outputs for one case", async (ctx) => {
    const { program } = need(ctx);
    const fickle = [program, "fickle"];
    const measured = await run({ candidate: fickle, reference: fickle, digests: ["d", "d"] });
    expect(measured.failure).toMatchObject({ whose: "ours", kind: "output" });
  });
});
