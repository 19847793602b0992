import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runSandboxed, startSandboxed } from "../../../src/io/sandbox/run.ts";
import { boundOurselves, findObstacle, LIMITS, lookAtHost, makeField, removeField, WORK } from "./field.ts";

/* What honest jobs do with the sandbox: build, fetch, run, talk. */

const obstacle = findObstacle();
const order = { inputs: [], work: WORK, limits: LIMITS, stdio: "pipes" } as const;

describe.skipIf(obstacle !== null)(
  `honest work${obstacle === null ? "" : ` (${obstacle})`}`,
  { timeout: 60_000 },
  () => {
    const field = makeField();
    const entry = join(field, "entry");
    let before: unknown;

    beforeAll(() => {
      boundOurselves();
      mkdirSync(join(entry, "src"), { recursive: true });
      writeFileSync(
        join(entry, "src", "echo.c"),
        "#include <stdio.h>\nint main(void) { int c; setvbuf(stdout, 0, _IONBF, 0); while ((c = getchar()) != EOF) putchar(c); return 7; }\n",
      );
      writeFileSync(join(entry, "build.sh"), "gcc -O1 -o echo src/echo.c\n");
      symlinkSync("src/echo.c", join(entry, "main.c"));
    }, 120_000);
    beforeEach(() => {
      before = lookAtHost(field);
    });
    afterAll(() => removeField(field));

    it("an entry is built in a copy, its outcome fetched, and run as an input that it cannot change", async () => {
      const to = join(field, "built");
      const built = await runSandboxed({
        ...order,
        command: ["/bin/sh", "build.sh"],
        work: { ...WORK, from: entry, to },
        limits: { ...LIMITS, memoryBytes: 512 * 1024 * 1024 },
      });
      expect(built, built.stderr.toString("utf8")).toMatchObject({ outcome: "exited", code: 0 });
      expect(built.notFetched).toEqual(["main.c"]);
      expect(readFileSync(join(to, "src", "echo.c"))).toEqual(readFileSync(join(entry, "src", "echo.c")));
      const ran = await runSandboxed(
        { ...order, command: ["/in/built/echo"], inputs: [{ from: to, to: "/in/built" }] },
        Buffer.from("one case"),
      );
      expect(ran).toMatchObject({ outcome: "exited", code: 7, truncated: false });
      expect(ran.stdout.toString("utf8")).toBe("one case");
      removeField(to);
      expect(lookAtHost(field)).toEqual(before);
    });

    it("an entry that does not fit into its work folder is refused, and nothing is run", async () => {
      const to = join(field, "never");
      const small = { bytes: 4096, files: 10, from: join(field, "large"), to };
      mkdirSync(small.from);
      writeFileSync(join(small.from, "data"), Buffer.alloc(100_000));
      await expect(runSandboxed({ ...order, command: ["/bin/true"], work: small })).rejects.toMatchObject({
        code: "sandbox-input",
      });
      expect(existsSync(to)).toBe(false);
      removeField(small.from);
      expect(lookAtHost(field)).toEqual(before);
    });

    it("a harness can talk with a guest and take the time itself", async () => {
      const running = await startSandboxed({ ...order, command: ["/bin/cat"] });
      const answers = running.stdout[Symbol.asyncIterator]();
      running.stderr.resume();
      for (const word of ["ping", "pong"]) {
        running.stdin.write(word);
        expect(String((await answers.next()).value)).toBe(word);
      }
      running.stdin.end();
      expect((await answers.next()).done).toBe(true);
      expect(await running.ended).toMatchObject({ outcome: "exited", code: 0 });
    });

    it("a harness can stop a guest", async () => {
      const running = await startSandboxed({ ...order, command: ["/bin/sh", "-c", "sleep 60 & sleep 60"] });
      running.stdout.resume();
      running.stderr.resume();
      running.stop();
      const ended = await running.ended;
      expect(ended.outcome).toBe("stopped");
      expect(ended.usage.wallSeconds).toBeLessThan(10);
      expect(lookAtHost(field)).toEqual(before);
    });

    it("guests at the same time see nothing of each other", async () => {
      const run = (word: string) =>
        runSandboxed({
          ...order,
          command: [
            "/bin/sh",
            "-c",
            `echo ${word} > /job/mine; sleep 0.3; cat /job/* ; ls /proc | grep -c '^[0-9]'`,
          ],
        });
      const [left, right] = await Promise.all([run("left"), run("right")]);
      expect(left.stdout.toString("utf8")).toMatch(/^left\n[3-6]\n$/);
      expect(right.stdout.toString("utf8")).toMatch(/^right\n[3-6]\n$/);
    });

    it("ends are told apart: exit codes, signals, a program that is not there", async () => {
      const end = async (...command: [string, ...string[]]) => {
        const { outcome, ...rest } = await runSandboxed({ ...order, command });
        return [outcome, "code" in rest ? rest.code : "signal" in rest ? rest.signal : null];
      };
      expect(await end("/bin/sh", "-c", "exit 3")).toEqual(["exited", 3]);
      expect(await end("/bin/sh", "-c", "kill -SEGV $$")).toEqual(["signalled", 11]);
      expect(await end("/in/nothing")).toEqual(["exited", 127]);
    });
  },
);
