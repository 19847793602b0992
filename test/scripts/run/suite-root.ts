import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { memberFile, suiteDigest, suitePath } from "../../../src/lib/benchmarks/suite.ts";
import type { Suite, SuiteMember } from "../../../src/lib/benchmarks/suite-schema.ts";
import { VOCABULARY_PATH } from "../../../src/lib/benchmarks/vocabulary.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";

export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

export interface SuiteRoot {
  readonly folder: string;
  readonly suite: Suite;
  remove(): Promise<void>;
}

async function frozen(id: string): Promise<Suite> {
  return JSON.parse(await readFile(join(REPOSITORY, suitePath(id)), "utf8")) as Suite;
}

/** A member of a test's suite: a committed member under an id of its own, perhaps with another task. */
export interface WantedMember {
  readonly id: string;
  /** A member of `rehearsal-1` or `rehearsal-bank-1`. */
  readonly like: string;
  readonly task?: string;
}

/** A folder with a frozen suite `tiny` of copies of committed members, for the real command's `--root`. */
export async function makeSuiteRoot(wanted: readonly WantedMember[]): Promise<SuiteRoot> {
  const folder = await mkdtemp(join(tmpdir(), "assay-run-"));
  const [plain, bank] = [await frozen("rehearsal-1"), await frozen("rehearsal-bank-1")];
  const known = new Map([...plain.members, ...bank.members].map((member) => [member.id, member]));
  const members: SuiteMember[] = [];
  for (const { id, like, task } of wanted) {
    const member = known.get(like);
    if (member === undefined) throw new Error(`no committed member ${like}`);
    members.push({ ...member, id, ...(task === undefined ? {} : { task }) });
    await cp(join(REPOSITORY, "benchmarks/members", like), join(folder, "benchmarks/members", id), {
      recursive: true,
    });
  }
  await mkdir(join(folder, "benchmarks/vocabulary"), { recursive: true });
  await cp(join(REPOSITORY, VOCABULARY_PATH), join(folder, VOCABULARY_PATH));
  const suite = await writeSuite(folder, { ...plain, id: "tiny", members });
  return { folder, suite, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Writes a manifest with the digest it has. */
export async function writeSuite(folder: string, draft: Suite): Promise<Suite> {
  const suite = { ...draft, digest: suiteDigest(draft) };
  await mkdir(join(folder, "benchmarks/suites"), { recursive: true });
  await writeFile(join(folder, suitePath(suite.id)), canonicalDocument(suite));
  return suite;
}

/** The reference recipe of a member, as a contestant that knows it would answer. */
export const referenceRecipe = (folder: string, id: string): Promise<string> =>
  readFile(join(folder, memberFile(id, "recipe.json")), "utf8");
