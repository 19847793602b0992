import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { folderData } from "../../src/io/code/data-source.ts";
import { fastDigest } from "../../src/io/git-ids.ts";
import { type HostKey, makeHostKey } from "../../src/io/host/keys.ts";
import type { HostWorld } from "../../src/io/host/read.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import { registerHost } from "../../src/jobs/host-register.ts";
import { writeJob } from "../../src/jobs/job-files.ts";
import { importJob, verifyJobReport } from "../../src/jobs/job-import.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { compareGrowth } from "../../src/lib/code/append-only/compare.ts";
import { GROWING } from "../../src/lib/code/append-only/shape.ts";
import { type Hosts, hostsSchema } from "../../src/lib/code/schema/hosts-schema.ts";
import type { CodeRun } from "../../src/lib/code/schema/run-schema.ts";
import { fingerprintDigest } from "../../src/lib/host/reading.ts";
import type { Signer } from "../../src/lib/job/attest.ts";
import { finishResults } from "../../src/lib/job/finish.ts";
import type { Order } from "../../src/lib/job/order-schema.ts";
import type { JobReport } from "../../src/lib/job/report-schema.ts";
import { hosts, perf } from "../lib/code/facts.ts";
import { committedRuns, dataFiles, pretty } from "./data-folder.ts";

/** From a host's signature to the level that a board shows, by way of the report in a person's hands. */

const all = mkdtempSync(join(tmpdir(), "assay-import-job-"));
afterAll(() => rmSync(all, { recursive: true, force: true }));

let root: string;
let artifact: string;
let key: HostKey;
let record: Hosts;
let names = 0;
const AT = "2026-11-25T12:00:00.000Z";
const fingerprint = { cpu: "AMD", cores: 16, kernel: "6.12" };

/** Entries without what a host is to measure. */
const unmeasured = (): CodeRun[] =>
  committedRuns().map((run) => ({
    ...run,
    entries: run.entries.map(({ hidden: _hidden, perf: _perf, ...entry }) => entry),
  }));

beforeEach(async () => {
  root = join(all, `root-${names}`);
  artifact = join(all, `artifact-${names++}`);
  mkdirSync(artifact, { recursive: true });
  for (const [path, { data }] of Object.entries(dataFiles({ runs: unmeasured() }))) put(path, data);
  key = await makeHostKey(join(artifact, "key.pem"));
  record = hosts();
  for (const host of record.hosts)
    host.keys = [{ id: "k1", ed25519: key.publicHex, valid_from: "2026-11-01T00:00:00.000Z" }];
  put("data/hosts.json", pretty(record));
});

function put(path: string, data: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), data);
}
const runIn = (): CodeRun => JSON.parse(readFileSync(join(root, "data/runs/run-1.json"), "utf8"));

interface Measured {
  readonly host?: string;
  readonly at?: string;
  readonly nonce?: string;
  readonly by?: HostKey;
}

/** The artifact of a job that measured entry e1 of run-1. */
async function measure({
  host = "ryzen",
  at = "2026-11-20T10:00:00.000Z",
  nonce = "900",
  by = key,
}: Measured = {}) {
  const run = runIn();
  const files = run.entries[0]?.deliverable ?? [];
  const order: Order = {
    schema_version: 1,
    kind: "perf",
    repository_id: 1,
    pull_request: 7,
    head_sha: "a".repeat(40),
    base_sha: "b".repeat(40),
    nonce,
    asked_by: { id: 11, login: "mia", role: "write" },
    target: "run-1/e1",
    host,
    task: run.task,
    made_at: at,
    entries: [{ run: "run-1", entry: "e1", role: "judged", files }],
  };
  const text = canonicalDocument(order);
  writeFileSync(join(artifact, "order.json"), text);
  const digest = fingerprintDigest(fingerprint);
  const signer: Signer = {
    host,
    key: "k1",
    fingerprint: digest,
    nonce,
    commit: order.head_sha,
    sign: by.sign,
  };
  const categories = ["h1", "h2", "h3", "h4"].map((id, index) => ({ id, passed: index > 0 }));
  const results = finishResults(
    [
      {
        run: "run-1",
        entry: "e1",
        role: "judged",
        hidden: { at, suite: `sha256:${"5".repeat(64)}`, categories, host },
        perf: perf({ at, host, fingerprint: digest }),
      },
    ],
    order,
    [],
    signer,
  );
  const report: JobReport = {
    schema_version: 1,
    kind: "perf",
    outcome: "measured",
    pull_request: 7,
    head_sha: order.head_sha,
    nonce,
    target: order.target,
    order: fastDigest(text),
    findings: [],
    host: {
      id: host,
      class: host === "ryzen" ? "board" : "rehearsal",
      fingerprint_digest: digest,
      fingerprint,
      before: { values: {}, at },
      after: { values: {}, at },
    },
    started_at: at,
    finished_at: at,
    results,
    raw: null,
  };
  await writeJob(artifact, { report, raw: { samples: [1, 2, 3] }, signer });
  return join(artifact, "report.json");
}

const failing = async (
  path: string,
  expected: Parameters<typeof verifyJobReport>[2] = {},
): Promise<string[]> => {
  const verified = await verifyJobReport(path, root, expected);
  if (!verified.ok) throw new Error(JSON.stringify(verified.findings));
  return verified.value.flatMap(({ id, state }) => (state === "fails" ? [id] : []));
};
const edit = (path: string, change: (report: JobReport) => unknown): void => {
  const report: JobReport = JSON.parse(readFileSync(path, "utf8"));
  change(report);
  writeFileSync(path, canonicalDocument(report));
};
const derived = async () => {
  const { data, findings } = await readCodeData(folderData(root), { synthetic: false, deliverables: true });
  return {
    entry: data?.entries.find(({ run, id }) => run === "run-1" && id === "e1"),
    codes: findings.map(({ code }) => code),
  };
};

describe("verifying a job's report", () => {
  it("F70: holds offline, from the report, what lies beside it, and the record of hosts", async () => {
    const path = await measure();
    const verified = await verifyJobReport(path, root, { nonce: "900", commit: "a".repeat(40) });
    expect(verified.ok && verified.value.map(({ id, state }) => `${id} ${state}`)).toEqual([
      "outcome holds",
      "host holds",
      "class holds",
      "fingerprint holds",
      "nonce holds",
      "commit holds",
      "order holds",
      "samples holds",
      "signature holds",
      "result holds",
      "result holds",
    ]);
  });

  it("F70: fails at the step that was touched", async () => {
    const path = await measure();
    const good = readFileSync(path);
    const touched = async (change: (report: JobReport) => unknown): Promise<string[]> => {
      edit(path, change);
      const steps = await failing(path);
      writeFileSync(path, good);
      return steps;
    };
    expect(await touched((report) => report.results[0]?.perf?.metrics[0]?.candidate.splice(0, 1, 1))).toEqual(
      ["signature", "result"],
    );
    expect(await touched((report) => Object.assign(report, { head_sha: "c".repeat(40) }))).toEqual([
      "order",
      "signature",
      "result",
      "result",
    ]);
    expect(await touched((report) => Object.assign(report, { nonce: "901" }))).toEqual([
      "order",
      "signature",
      "result",
      "result",
    ]);
    expect(
      await touched((report) => {
        if (report.host !== null) report.host.fingerprint.kernel = "6.13";
      }),
    ).toEqual(["fingerprint", "signature"]);
    expect(await touched((report) => void delete report.attestation)).toEqual(["signature"]);
    writeFileSync(join(artifact, "raw.json"), canonicalDocument({ samples: [1, 2, 4] }));
    expect(await failing(path)).toEqual(["samples"]);
    expect(await failing(await measure(), { nonce: "1", commit: "d".repeat(40) })).toEqual([
      "nonce",
      "commit",
    ]);
  });

  it("says of a rehearsal host that it never reaches a board", async () => {
    const verified = await verifyJobReport(await measure({ host: "here" }), root, {});
    expect(verified.ok && verified.value.filter(({ state }) => state !== "holds")).toEqual([
      { id: "class", state: "open", text: "never reaches a board" },
    ]);
  });
});

describe("importing what a host measured", () => {
  it("fills the empty places, which then are attested, and adds nothing else", async () => {
    const before = runIn();
    const { done, findings } = await importJob(await measure(), root, AT);
    expect([done, findings]).toEqual([["hidden of run-1/e1: put in", "perf of run-1/e1: put in"], []]);
    const growth = compareGrowth(before, runIn(), GROWING.runs);
    expect(growth).toMatchObject({ total: 0, gained: ["/entries/0/hidden", "/entries/0/perf"] });
    const { entry, codes } = await derived();
    expect(codes).toEqual([]);
    expect([entry?.hidden?.level, entry?.speed?.level, entry?.hidden?.passed]).toEqual([
      "attested",
      "attested",
      3,
    ]);
    expect((await importJob(join(artifact, "report.json"), root, AT)).done).toEqual([
      "hidden of run-1/e1: there already",
      "perf of run-1/e1: there already",
    ]);
  });

  it("writes a revision where there is something already", async () => {
    await importJob(await measure(), root, AT);
    const before = runIn();
    const again = await measure({ at: "2026-11-22T10:00:00.000Z", nonce: "901" });
    expect((await importJob(again, root, AT)).done).toEqual([
      "hidden of run-1/e1: a revision",
      "perf of run-1/e1: a revision",
    ]);
    expect(compareGrowth(before, runIn(), GROWING.runs).total).toBe(0);
    const { entry, codes } = await derived();
    expect(codes).toEqual([]);
    expect(entry?.speed?.level).toBe("attested");
  });

  it("refuses a rehearsal host's, an unsigned one, another's, and what was altered, and writes nothing", async () => {
    const before = readFileSync(join(root, "data/runs/run-1.json"), "utf8");
    const codes = async (path: string): Promise<string[]> =>
      (await importJob(path, root, AT)).findings.map(({ code }) => code);
    expect(await codes(await measure({ host: "here" }))).toEqual(["code-data-rehearsal-host"]);
    const stranger = await makeHostKey(join(artifact, "stranger.pem"));
    expect(await codes(await measure({ by: stranger }))).toEqual(["code-attestation"]);
    const path = await measure();
    edit(path, (report) => {
      delete report.results[0]?.perf?.attestation;
    });
    expect(await codes(path)).toEqual(["code-attestation"]);
    edit(await measure(), (report) => {
      report.outcome = "ours";
    });
    expect(await codes(path)).toEqual(["job-nothing-measured"]);
    expect(readFileSync(join(root, "data/runs/run-1.json"), "utf8")).toBe(before);
  });
});

describe("what a signature is worth among the facts", () => {
  const change = (edit_: (run: CodeRun) => unknown): void => {
    const run = runIn();
    edit_(run);
    put("data/runs/run-1.json", pretty(run));
  };
  const first = (run: CodeRun): CodeRun["entries"][number] => {
    const [entry] = run.entries;
    if (entry === undefined) throw new Error("there is an entry");
    return entry;
  };

  it("F70: a signature that does not hold is an error, wherever the values or it came from", async () => {
    await importJob(await measure(), root, AT);
    const good = readFileSync(join(root, "data/runs/run-1.json"), "utf8");
    for (const touch of [
      (run: CodeRun) => Object.assign(first(run).hidden?.categories[0] ?? {}, { passed: true }),
      (run: CodeRun) => first(run).perf?.metrics[0]?.reference.splice(0, 1, 9999),
      // Another entry's measurement, signature and all.
      (run: CodeRun) => {
        const [one, two] = run.entries;
        if (one?.perf !== undefined && two !== undefined) two.perf = one.perf;
      },
    ]) {
      put("data/runs/run-1.json", good);
      change(touch);
      expect((await derived()).codes).toContain("code-attestation");
    }
  });

  it("a key that is revoked later keeps what it signed before, and vouches for nothing after", async () => {
    await importJob(await measure(), root, AT);
    const revoke = (at: string): void => {
      const [key1] = record.hosts[0]?.keys ?? [];
      if (key1 !== undefined) key1.revoked_at = at;
      put("data/hosts.json", pretty(record));
    };
    revoke("2026-11-21T00:00:00.000Z");
    expect((await derived()).entry?.speed?.level).toBe("attested");
    revoke("2026-11-20T00:00:00.000Z");
    const { entry, codes } = await derived();
    expect([entry?.speed?.level, codes]).toEqual([
      "declared",
      ["code-attestation-expired", "code-attestation-expired"],
    ]);
  });

  it("a rehearsal host's signature makes facts wrong, also where they do not name it", async () => {
    await importJob(await measure(), root, AT);
    const [host] = record.hosts;
    if (host !== undefined) host.class = "rehearsal";
    put("data/hosts.json", pretty(record));
    expect((await derived()).codes).toContain("code-data-rehearsal-host");
  });

  it("without a signature a measurement is declared", async () => {
    await importJob(await measure(), root, AT);
    change((run) => {
      delete first(run).perf?.attestation;
    });
    expect((await derived()).entry?.speed?.level).toBe("declared");
  });
});

describe("registering a host", () => {
  const world: HostWorld = {
    platform: "linux",
    arch: "x64",
    root: join(all, "machine"),
    run: async () => null,
    control: () => 20,
  };

  it("writes its record, makes its key once, and keeps the keys that it had", async () => {
    mkdirSync(join(world.root, "proc"), { recursive: true });
    writeFileSync(
      join(world.root, "proc/cpuinfo"),
      "processor\t: 0\nmodel name\t: Test\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: hypervisor\n",
    );
    const request = { id: "rehearsal", class: "rehearsal", root, write: true } as const;
    const path = join(root, "host.pem");
    const registered = await registerHost({ ...request, key: path }, world);
    expect(registered.ok && [registered.value.made, registered.value.host.keys.length]).toEqual([true, 1]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await registerHost({ ...request, key: path }, world);
    expect(again.ok && [again.value.made, again.value.host]).toEqual([
      false,
      registered.ok ? registered.value.host : null,
    ]);
    await registerHost({ ...request, key: join(root, "next.pem") }, world);
    const written = hostsSchema.parse(JSON.parse(readFileSync(join(root, "data/hosts.json"), "utf8")));
    expect(written.hosts.map(({ id, keys }) => `${id} ${keys.length}`)).toEqual([
      "ryzen 1",
      "here 1",
      "rehearsal 2",
    ]);
  });
});
