import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SandboxedRun } from "../../../src/io/sandbox/run.ts";
import {
  boundOurselves,
  type Changes,
  compileProbes,
  findObstacle,
  findProcesses,
  LIMITS,
  leaksOf,
  lookAtHost,
  makeField,
  removeField,
  runProbe,
  WORK,
} from "./field.ts";

/*
 * Hostile programs in the sandbox. Each tries one way out, says what worked, and ends with 42 when it came to its end. After
 * each, the host must look as before.
 */

const obstacle = findObstacle();
const CAME_TO_ITS_END = 42;
const CANARY = "canary-5e1f0c9d";
const MIB = 1024 * 1024;
/** Names of this kind belong to the whole network namespace of the host. */
const abstractName = `assay-probes-${process.pid}`;

it.runIf(process.env.CI !== undefined)("can run where CI is set", () => expect(obstacle).toBeNull());

describe.skipIf(obstacle !== null)(
  `hostile programs${obstacle === null ? "" : ` (${obstacle})`}`,
  { timeout: 60_000 },
  () => {
    const field = makeField();
    const probes = join(field, "probes");
    const servers: Server[] = [];
    let before: unknown;
    let reached = 0;
    let port = 0;

    const listen = (at: { port: number; host: string } | { path: string }): Promise<Server> =>
      new Promise((resolve, reject) => {
        const server = createServer((line) => {
          reached += 1;
          line.destroy();
        });
        servers.push(server);
        server.on("error", reject);
        server.listen(at, () => resolve(server));
      });
    const run = (command: readonly [string, ...string[]], changes?: Changes): Promise<SandboxedRun> =>
      runProbe(probes, command, changes);

    beforeAll(async () => {
      boundOurselves();
      compileProbes(probes);
      for (const folder of ["hidden", "entries", "entries/mine", "entries/other"])
        mkdirSync(join(field, folder));
      writeFileSync(join(field, "hidden", "suite.json"), `{"answer": "${CANARY}"}`);
      writeFileSync(join(field, "entries", "other", "main.c"), `/* ${CANARY} */`);
      writeFileSync(join(field, "entries", "mine", "main.c"), "int main(void) { return 0; }");
      writeFileSync(join(field, "token"), CANARY);
      process.env.ASSAY_PLANTED_TOKEN = CANARY;
      // A copy that is its owner's, and root's where the tests are.
      copyFileSync(join(probes, "privileges"), join(probes, "setuid"));
      chmodSync(join(probes, "setuid"), 0o6755);
      const server = await listen({ port: 0, host: "0.0.0.0" });
      port = (server.address() as { port: number }).port;
      await listen({ path: join(field, "socket") });
      await listen({ path: `\0${abstractName}` });
    }, 120_000);
    afterAll(() => {
      delete process.env.ASSAY_PLANTED_TOKEN;
      for (const server of servers) server.close();
      removeField(field);
    });
    beforeEach(() => {
      before = lookAtHost(field);
    });
    // Nothing is left: no process, no mount, no file.
    afterEach(() => expect(lookAtHost(field)).toEqual(before));

    const expectHeld = (result: SandboxedRun): void => {
      expect(leaksOf(result)).toEqual([]);
      expect(result, result.stderr.toString("utf8")).toMatchObject({
        outcome: "exited",
        code: CAME_TO_ITS_END,
      });
    };

    describe("what is there to read", () => {
      it("finds no hidden suite, no token, no other entry, no secret of the harness, anywhere", async () => {
        const paths = [
          join(field, "hidden", "suite.json"),
          join(field, "token"),
          join(field, "entries", "other", "main.c"),
          join(field, "entries", "mine", "..", "other"),
          "/root",
          "/home",
          "/run",
          "/var",
          "/sys/kernel",
          "/etc/shadow",
          process.cwd(),
        ];
        const mine = { from: join(field, "entries", "mine"), to: "/in/entry" };
        expectHeld(await run(["secrets", CANARY, ...paths], { order: { inputs: [mine] } }));
      });

      it("the same program does find a canary that it was given", async () => {
        const found = await run(["secrets", CANARY], {
          order: { inputs: [{ from: join(field, "hidden"), to: "/in/hidden" }] },
        });
        expect(leaksOf(found)).toEqual([`LEAK: canary in /in/hidden/suite.json`]);
      });

      it("sees no process of the host, reaches into none, and signals none", async () => {
        expectHeld(await run(["harness", `${process.pid}`]));
      });
    });

    it("reaches no network, no name server and no socket of the host", async () => {
      const address =
        Object.values(networkInterfaces())
          .flat()
          .find((each) => each?.family === "IPv4" && !each.internal)?.address ?? "127.0.0.1";
      reached = 0;
      expectHeld(await run(["network", `${port}`, abstractName, join(field, "socket"), address]));
      expect(reached).toBe(0);
    });

    it("with one socket of the host it calls that one, and reaches nothing else", async () => {
      const socket = join(field, "socket");
      const sockets = [{ from: socket, to: "/in/call.sock" }];
      const shut = run(["network", `${port}`, abstractName, "/in/call.sock", "127.0.0.1"], {
        order: { sockets },
      });
      await expect(shut, "others may not call it").rejects.toMatchObject({ code: "sandbox-input" });
      chmodSync(socket, 0o666);
      reached = 0;
      const one = await run(["network", `${port}`, abstractName, "/in/call.sock", "127.0.0.1"], {
        order: { sockets },
      });
      expect(leaksOf(one)).toEqual(["LEAK: unix socket /in/call.sock"]);
      expect(one).toMatchObject({ outcome: "exited", code: CAME_TO_ITS_END });
      expect(reached).toBe(1);
    });

    it("changes nothing of what it was given to read", async () => {
      const folder = join(field, "entries", "mine");
      // Modes allow everything, so that nothing but the mount is in the way.
      chmodSync(folder, 0o777);
      chmodSync(join(folder, "main.c"), 0o666);
      const [was, time] = [readFileSync(join(folder, "main.c")), statSync(join(folder, "main.c")).mtimeMs];
      expectHeld(
        await run(["inputs", "/in/entry/main.c", "/in/entry"], {
          order: { inputs: [{ from: folder, to: "/in/entry" }] },
        }),
      );
      expect(readFileSync(join(folder, "main.c"))).toEqual(was);
      expect(statSync(join(folder, "main.c"))).toMatchObject({ mtimeMs: time, nlink: 1 });
    });

    it("gains no rights: not by setuid files, capabilities, namespaces, mounts, limits, clocks or the kernel", async () => {
      expectHeld(await run(["privileges", "/in/probes/setuid"]));
    });

    describe("bounds", () => {
      it("a fork bomb stops at the bound on processes, and none outlives the run", async () => {
        const bomb = await run(["forks"]);
        expectHeld(bomb);
        const [, made] = /made (\d+)/.exec(bomb.stdout.toString("utf8")) ?? [];
        expect(Number(made)).toBeGreaterThan(LIMITS.processes / 2);
        expect(Number(made)).toBeLessThanOrEqual(LIMITS.processes);
      });

      it.each(["private", "shared", "forked"])("a memory bomb is ended: %s memory", async (kind) => {
        const bomb = await run(["memory", kind], { limits: { processes: 100 } });
        // Taken in one process it may be refused before it is seen.
        if (bomb.outcome === "exited") {
          const [, mebibytes] = /took (\d+) MiB/.exec(bomb.stdout.toString("utf8")) ?? [];
          expect(Number(mebibytes)).toBeLessThan(1024);
        } else expect(bomb).toMatchObject({ outcome: "over-limit", bound: "memory" });
      });

      it.each(["memfd", "segment"])("memory that no limit would count is not to be had: %s", async (kind) => {
        const bomb = await run(["memory", kind]);
        expectHeld(bomb);
        expect(bomb.stdout.toString("utf8")).toBe("took 0 MiB\n");
      });

      it("the disk cannot be filled: not with large files, small ones or holes, nor outside of the writable folders", async () => {
        const filler = await run(["disk"], { limits: { memoryBytes: 256 * MIB } });
        expectHeld(filler);
        const [, bytes, files, largest] =
          /bytes (\d+) files (\d+) largest (\d+)/.exec(filler.stdout.toString("utf8")) ?? [];
        expect(Number(bytes)).toBeGreaterThan(WORK.bytes / 2);
        expect(Number(bytes)).toBeLessThanOrEqual(WORK.bytes);
        expect(Number(files)).toBeLessThanOrEqual(WORK.files);
        expect(Number(largest)).toBeLessThanOrEqual(LIMITS.fileBytes);
        expect(filler.usage.workBytes).toBeLessThanOrEqual(WORK.bytes);
        expect(filler.usage.workFiles).toBeLessThanOrEqual(WORK.files);
      });

      it("output ends at its bound, and what was written before is delivered", async () => {
        const flood = await run(["output"]);
        expect(flood).toMatchObject({ outcome: "over-limit", bound: "output", truncated: true });
        expect(flood.stdout.length + flood.stderr.length).toBe(LIMITS.outputBytes);
      });

      it("output that is discarded goes nowhere and fills nothing", async () => {
        const flood = await run(["output"], { limits: { wallSeconds: 1 }, order: { stdio: "discard" } });
        expect(flood).toMatchObject({ outcome: "timed-out", truncated: false });
        expect(flood.usage.outputBytes).toBe(0);
      });

      it.each([
        ["side by side", ["/bin/sh", "-c", "while :; do :; done & while :; do :; done"]],
        ["one after the other, of which nobody asks", ["/in/probes/spinners"]],
      ] as const)("all processes together have one bound on processor time: %s", async (_, command) => {
        const spin = await run(["secrets"], { limits: { cpuSeconds: 1 }, order: { command } });
        expect(spin).toMatchObject({ outcome: "over-limit", bound: "cpu" });
        expect(spin.usage.cpuSeconds).toBeLessThan(5);
      });
    });

    describe("time", () => {
      it("a program that ignores every signal ends with its time, and its children with it", async () => {
        const marker = `${field}-stubborn`;
        const stubborn = await run(["stubborn", marker], { limits: { wallSeconds: 1 } });
        expect(stubborn.outcome).toBe("timed-out");
        expect(stubborn.usage.wallSeconds).toBeLessThan(8);
        expect(findProcesses(marker)).toEqual([]);
      });

      it("a process that cut every tie does not outlive the run", async () => {
        const marker = `${field}-left`;
        const left = await run(["left-behind", marker]);
        expectHeld(left);
        expect(left.usage.wallSeconds).toBeLessThan(10);
        expect(findProcesses(marker)).toEqual([]);
      });

      it("F69: a patched clock changes nothing of what is measured outside", async () => {
        const preload = { LD_PRELOAD: "/in/probes/clock" };
        const still = await run(["secrets"], {
          order: { command: ["/bin/sh", "-c", "date +%s; sleep 0.3; exit 42"], environment: preload },
        });
        expect(still.stdout.toString("utf8")).toBe("0\n");
        expect(still.usage.wallSeconds).toBeGreaterThan(0.3);
      });
    });

    it("only plain files and folders come out, and no trap among them is followed", async () => {
      const to = join(field, "fetched");
      const traps = await run(["secrets"], {
        order: { command: ["/bin/sh", "/in/probes/links.sh", join(field, "token")], work: { ...WORK, to } },
      });
      expectHeld(traps);
      const came = readdirSync(to, { recursive: true, withFileTypes: true });
      expect(came.every((entry) => entry.isFile() || entry.isDirectory())).toBe(true);
      expect(readdirSync(to).sort()).toEqual(expect.arrayContaining(["fine", "folder", "wild"]));
      expect(traps.notFetched).toEqual(
        expect.arrayContaining(["environment", "pipe", "root", "secret", "folder/report.json", "folder/up"]),
      );
      expect(statSync(join(to, "wild")).mode & 0o7777).toBe(0o755);
      expect(statSync(to).uid).toBe(process.geteuid?.());
      removeField(to);
    });

    it("one large file under many names is not fetched many times", async () => {
      const to = join(field, "many");
      const script =
        "head -c 8000000 /dev/zero > a; i=0; while [ $i -lt 100 ]; do ln a a$i; i=$((i+1)); done; exit 42";
      const many = await run(["secrets"], {
        order: { command: ["/bin/sh", "-c", script], work: { ...WORK, to } },
      });
      expect(many).toMatchObject({ outcome: "over-limit", bound: "work" });
    });
  },
);
