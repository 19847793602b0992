import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedApi, startScriptedApi } from "../../rehearsal/contestant/scripted-api.ts";
import { makeHostKey } from "../../src/io/host/keys.ts";
import { runEntry } from "../../src/jobs/action-run-entry.ts";
import { checkRun } from "../../src/lib/code/check/run-rules.ts";
import { rerunIdOf } from "../../src/lib/code/contestant/plan.ts";
import { runSchema } from "../../src/lib/code/schema/run-schema.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { factsDigest } from "../../src/lib/job/facts-digest.ts";
import type { Order } from "../../src/lib/job/order-schema.ts";
import { jobReportSchema } from "../../src/lib/job/report-schema.ts";
import type { TaskKit } from "../../src/lib/task/kit.ts";
import { findObstacle, makeField, removeField } from "../io/sandbox/field.ts";

/* `/assay run` on a rehearsal's host: from an order to facts. The host is a recorded one; sandbox and proxy are real. */

const obstacle = findObstacle();
const BRIEF = "Write main.c as SPEC.md says.\n";
const KIT: TaskKit = {
  task: "demo",
  deliverable: { required: ["main.c"], allowed: /^[a-z]+\.[ch]$/, maxFiles: 5, maxBytes: 10_000 },
  builds: {},
  examples: [],
  perf: { metrics: [] },
};
const MAIN = "int main(void) { return 0; }\n";

const ORDER: Order = {
  schema_version: 1,
  kind: "run",
  repository_id: 1,
  pull_request: 7,
  head_sha: "a".repeat(40),
  base_sha: "b".repeat(40),
  nonce: "4711",
  asked_by: { id: 1, login: "ann", role: "write" },
  target: "round-1/e02",
  // Of this process alone: a host does one job at a time.
  host: `rehearsal-${process.pid}`,
  task: "demo",
  made_at: "2026-11-30T10:15:00.000Z",
  entries: [],
  contestant: {
    configuration: "gpt-6.1-sol@high",
    lead: "claude-opus-5.5@xhigh",
    brief_sha256: digestOf(BRIEF),
    replicate: 2,
    harness: "codex",
  },
};

describe.skipIf(obstacle !== null)(
  `run-entry${obstacle === null ? "" : ` (${obstacle})`}`,
  { timeout: 60_000 },
  () => {
    const field = makeField();
    let api: ScriptedApi;
    let count = 0;

    const put = (files: Record<string, string>): void => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(field, path, ".."), { recursive: true });
        writeFileSync(join(field, path), text);
      }
    };
    const host = {
      ...{ id: ORDER.host, name: "this machine", class: "rehearsal", labels: ["self-hosted", "rehearsal"] },
      fingerprint: { cpu: "Test", cores: 1, threads: 1, arch: "x64", os: "linux", virtual: false },
      ...{ guards: {}, keys: [] },
    };
    const world = {
      platform: "linux",
      arch: "x64",
      root: join(field, "machine"),
      run: async () => null,
      control: () => 20,
    } as const;

    beforeAll(async () => {
      api = await startScriptedApi(() => ({ "main.c": MAIN }));
      const key = await makeHostKey(join(field, "host.pem"));
      const board = {
        ...{ ...host, id: `board-${process.pid}`, class: "board" },
        keys: [{ id: "k1", ed25519: key.publicHex, valid_from: "2026-01-01T00:00:00.000Z" }],
      };
      put({
        "tools/data/hosts.json": JSON.stringify({ schema_version: 1, hosts: [host, board] }),
        "tools/tasks/demo/SPEC.md": "# Contract\n",
        "tools/tasks/demo/scaffold/main.c": "/* to do */\n",
        "briefs/any-name.md": BRIEF,
        "machine/proc/cpuinfo":
          "processor\t: 0\nmodel name\t: Test\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: tsc\n",
        "machine/proc/loadavg": "0.10 0 0 1/1 1\n",
        "machine/proc/meminfo": "MemTotal: 8000000 kB\nMemAvailable: 7000000 kB\n",
      });
    });
    afterAll(async () => {
      await api.close();
      removeField(field);
    });

    const run = async (more: Record<string, string | undefined> = {}, order: Order = ORDER) => {
      count += 1;
      put({ [`order-${count}/order.json`]: JSON.stringify(order) });
      const out = join(field, `out-${count}`);
      const env = {
        HOME: join(field, `home-${count}`),
        ASSAY_BRIEFS: join(field, "briefs"),
        ASSAY_HARNESS_COMMAND: "exec node /opt/harness/scripted-harness.mjs",
        ASSAY_HARNESS_FOLDER: join(import.meta.dirname, "../../rehearsal/contestant"),
        ASSAY_API_ORIGIN: api.origin,
        ASSAY_API_KEY: api.key,
        ...more,
      };
      await runEntry(
        { order: join(field, `order-${count}`), tools: join(field, "tools"), out },
        [KIT],
        env,
        world,
      );
      return {
        out,
        report: jobReportSchema.parse(JSON.parse(readFileSync(join(out, "report.json"), "utf8"))),
      };
    };

    it("leaves the facts of one run, as a pull request takes them, with their digest in the report", async () => {
      const { out, report } = await run();
      expect(report).toMatchObject({
        outcome: "measured",
        results: [{ run: "round-1.e02.r2", entry: "e02", role: "judged" }],
      });
      const paths = ["data/entries/round-1.e02.r2/e02/main.c", "data/runs/round-1.e02.r2.json"];
      const facts = paths.map((path) => ({
        path,
        data: new Uint8Array(readFileSync(join(out, "facts", path))),
      }));
      expect(
        readdirSync(join(out, "facts"), { recursive: true, withFileTypes: true }).filter((each) =>
          each.isFile(),
        ),
      ).toHaveLength(2);
      expect(report.facts).toBe(factsDigest(facts));
      expect(factsDigest(facts.toReversed())).toBe(report.facts);
      const document = runSchema.parse(JSON.parse(readFileSync(join(out, "facts", paths[1] ?? ""), "utf8")));
      expect(document).toMatchObject({
        ...{ task: "demo", lead: "claude-opus-5.5@xhigh", replicate: 2, brief: { sha256: digestOf(BRIEF) } },
        entries: [{ id: "e02", configuration: "gpt-6.1-sol@high", harness: { name: "scripted" } }],
      });
      const none = new Map();
      const catalogue = {
        vendors: none,
        models: none,
        logNames: none,
        judges: none,
        hosts: none,
        tasks: none,
      };
      const codes = (synthetic: boolean) =>
        checkRun(document, document.id, {
          catalogue,
          anchors: none,
          synthetic,
          verifySignature: () => false,
        }).map(({ code }) => code);
      expect(codes(false), "what a rehearsal wrote never reaches a board").toContain("code-data-scripted");
      expect(codes(true)).not.toContain("code-data-scripted");
      const raw = readFileSync(join(out, "raw.json"), "utf8");
      expect(JSON.parse(raw)).toMatchObject({
        end: { kind: "finished" },
        egress: { answered: 1, refused: 0 },
      });
      expect(raw).not.toContain(api.key);
    });

    it.each([
      ["beside a vault", { ASSAY_VAULT: "/vault" }, "code-run-vault"],
      ["without the brief", { ASSAY_BRIEFS: undefined }, "code-run-brief"],
      ["without a key", { ASSAY_API_KEY: undefined }, "code-run-key"],
      ["without an API", { ASSAY_API_ORIGIN: undefined }, "code-run-harness"],
      [
        "with the entry's own harness, whose key is not here",
        { ASSAY_HARNESS_COMMAND: undefined },
        "code-run-key",
      ],
    ])("%s it refuses, says why, and asks the API nothing", async (_, more, code) => {
      const { out, report } = await run(more);
      expect(report.outcome).toBe("refused");
      expect(report.findings.map((finding) => finding.code)).toContain(code);
      expect(existsSync(join(out, "facts"))).toBe(false);
      expect(existsSync(join(field, `home-${count}/.cache`))).toBe(false);
    });

    it("refuses beside a hidden suite, a host of the board refuses a scripted harness, and an order needs a contestant", async () => {
      put({ "tools/tasks/other/hidden/suite.ts": "" });
      expect((await run()).report.findings.map(({ code }) => code)).toContain("code-run-vault");
      removeField(join(field, "tools/tasks/other"));
      const onBoard = { ASSAY_HOST_KEY: join(field, "host.pem") };
      expect((await run(onBoard, { ...ORDER, host: `board-${process.pid}` })).report.findings).toMatchObject([
        {
          code: "code-run-harness",
          message: "A scripted harness is for rehearsals; this host is for the board.",
        },
      ]);
      const { contestant: _, ...bare } = ORDER;
      expect((await run({}, bare)).report.findings.map(({ code }) => code)).toContain("code-run-order");
    });

    it("names a repeat after the first run, however often it is repeated", () => {
      expect(rerunIdOf("round-1", "e02", 2)).toBe("round-1.e02.r2");
      expect(rerunIdOf("round-1.e02.r2", "e02", 3)).toBe("round-1.e02.r3");
      expect(rerunIdOf("round-1.e01.r2", "e02", 3)).toBe("round-1.e01.r2.e02.r3");
      expect(rerunIdOf("x".repeat(100), "e02", 12)).toMatch(/^x{92}\.e02\.r12$/);
    });
  },
);
