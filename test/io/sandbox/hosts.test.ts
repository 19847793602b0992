import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxOrder } from "../../../src/lib/sandbox/order.ts";
import { findHoles, selfTestOrder } from "../../../src/lib/sandbox/self-test.ts";
import {
  boundOurselves,
  type Changes,
  compileProbes,
  findObstacle,
  findProcesses,
  lookAtHost,
  makeField,
  orderProbe,
  removeField,
} from "./field.ts";

/* The sandbox under harnesses that are not this test: another user, one that leaks, hangs, or is killed. */

const obstacle = findObstacle();
const isRoot = process.geteuid?.() === 0;
/** In front of a command, has an ordinary user run it. */
const asOrdinary = isRoot ? ["setpriv", "--reuid", "4242", "--regid", "4242", "--clear-groups", "--"] : [];
/** Node may be installed where only root gets to. */
const ordinaryHasNode = ((): boolean => {
  const [program = "", ...args] = [...asOrdinary, process.execPath, "--version"];
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
})();

interface Said {
  readonly outcome?: string;
  readonly code?: number;
  readonly refused?: string;
  readonly stdout?: string;
}

describe.skipIf(obstacle !== null)(
  `harnesses of all kinds${obstacle === null ? "" : ` (${obstacle})`}`,
  { timeout: 60_000 },
  () => {
    const field = makeField();
    const probes = join(field, "probes");
    const bundle = join(field, "harness.mjs");

    beforeAll(async () => {
      boundOurselves();
      compileProbes(probes);
      const build = await rolldown({ input: join(import.meta.dirname, "harness.ts"), platform: "node" });
      await build.write({ file: bundle, format: "esm" });
      writeFileSync(join(field, "token"), "canary-in-a-descriptor");
    }, 120_000);
    afterAll(() => removeField(field));

    const probe = (command: readonly [string, ...string[]], changes?: Changes): SandboxOrder =>
      orderProbe(probes, [`/in/probes/${command[0]}`, ...command.slice(1)], changes);

    /** Starts a harness through other programs; what it says comes line by line. */
    function start(through: readonly string[], order: SandboxOrder, ...mode: string[]): ChildProcess {
      const [program = "", ...args] = [...through, process.execPath, bundle, JSON.stringify(order), ...mode];
      return spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    }
    async function listen(child: ChildProcess): Promise<Said> {
      let text = "";
      for await (const chunk of child.stdout ?? []) text += String(chunk);
      return JSON.parse(text.trim().split("\n").at(-1) ?? "{}") as Said;
    }
    const run = (through: readonly string[], order: SandboxOrder, ...mode: string[]): Promise<Said> =>
      listen(start(through, order, ...mode));

    const held = { outcome: "exited", code: 42 };
    const leaks = ({ stdout = "" }: Said): string[] =>
      stdout.split("\n").filter((line) => line.startsWith("LEAK"));

    describe.skipIf(!ordinaryHasNode)("a harness that is an ordinary user", () => {
      it("has a sandbox without holes", async () => {
        const said = await run(asOrdinary, selfTestOrder);
        expect(findHoles(said.stdout ?? JSON.stringify(said))).toEqual([]);
      });

      it.each([
        ["harness", String(process.pid)],
        ["privileges", "/in/probes/privileges"],
        ["secrets", "canary-in-a-descriptor", join(field, "token")],
        ["disk"],
        ["forks"],
        ["left-behind", `${field}-ordinary`],
      ] as const)("holds %s", async (...command) => {
        const before = lookAtHost(field);
        const said = await run(asOrdinary, probe(command, { limits: { memoryBytes: 256 * 1024 * 1024 } }));
        expect(leaks(said)).toEqual([]);
        expect(said).toMatchObject(held);
        expect(lookAtHost(field)).toEqual(before);
      });
    });

    it.runIf(isRoot)("root that has no other uid to give refuses", async () => {
      const said = await run(["unshare", "--user", "--map-root-user", "--"], selfTestOrder);
      expect(said).toEqual({ refused: "sandbox-uid" });
    });

    it("a descriptor that the harness inherited does not reach the guest", async () => {
      const leaky = ["bash", "-c", `exec 9<"$0" 77<"$0"; exec "$@"`, join(field, "token")];
      const said = await run(leaky, probe(["secrets", "canary-in-a-descriptor"]));
      expect(leaks(said)).toEqual([]);
      expect(said).toMatchObject(held);
    });

    /** The guest's own processes; the programs that hold it have its command line as arguments of theirs. */
    const countGuests = (marker: string): number =>
      findProcesses(marker).filter((line) => line.startsWith("/in/probes/stubborn ")).length;
    /** Waits until it holds; gives whether it came to that in time. */
    async function awaitThat(holds: () => boolean, ms: number): Promise<boolean> {
      for (const end = performance.now() + ms; performance.now() < end; ) {
        if (holds()) return true;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return false;
    }
    /** Starts a harness whose guest is four stubborn processes, and waits until they run. */
    async function startStubborn(
      marker: string,
      wallSeconds: number,
      ...mode: string[]
    ): Promise<ChildProcess> {
      const child = start([], probe(["stubborn", marker], { limits: { wallSeconds } }), ...mode);
      expect(await awaitThat(() => countGuests(marker) === 4, 10_000)).toBe(true);
      return child;
    }

    it("F68: a harness that is killed takes everything with it", async () => {
      const marker = `${field}-orphan`;
      const child = await startStubborn(marker, 15);
      child.kill("SIGKILL");
      expect(await awaitThat(() => findProcesses(marker).length === 0, 5_000)).toBe(true);
      expect(lookAtHost(field)).toMatchObject({ mounts: [], throwAway: [] });
    });

    it("a harness that hangs does not let the guest run on", async () => {
      const marker = `${field}-hang`;
      const child = await startStubborn(marker, 1, "block", "9000");
      const said = listen(child);
      expect(await awaitThat(() => countGuests(marker) === 0, 8_000)).toBe(true);
      expect(child.exitCode).toBeNull();
      expect(await said).toMatchObject({ outcome: "timed-out" });
    }, 30_000);

    it("what is wrong with an order or an input refuses it by code", async () => {
      const input = { from: join(field, "nowhere"), to: "/in/x" };
      expect(await run([], probe(["disk"], { order: { inputs: [input] } }))).toEqual({
        refused: "sandbox-input",
      });
      expect(await run([], { ...selfTestOrder, limits: { ...selfTestOrder.limits, cpuSeconds: 0 } })).toEqual(
        {
          refused: "sandbox-order",
        },
      );
      // So few files that not even bubblewrap can open its own.
      expect(await run([], { ...selfTestOrder, limits: { ...selfTestOrder.limits, openFiles: 4 } })).toEqual({
        refused: "sandbox-setup",
      });
    });

    it.runIf(isRoot)("an input that only root can read is refused rather than found empty", async () => {
      const folder = join(field, "closed");
      mkdirSync(folder, { mode: 0o700 });
      const order = probe(["disk"], { order: { inputs: [{ from: folder, to: "/in/closed" }] } });
      expect(await run([], order)).toEqual({ refused: "sandbox-input" });
    });
  },
);
