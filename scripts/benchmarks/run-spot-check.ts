import { randomBytes } from "node:crypto";
import { realpath } from "node:fs/promises";
import { startBaselineServer } from "../../src/io/run/baseline-server.ts";
import { openChatClient } from "../../src/io/run/chat-client.ts";
import { printable, printFindings } from "../../src/io/terminal.ts";
import { readUserFile, userPath, writeUserFile } from "../../src/io/user-files.ts";
import { spotCheck } from "../../src/jobs/spot-check.ts";
import { parseResult } from "../../src/lib/benchmarks/result.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { type Finding, hasErrors } from "../../src/lib/findings.ts";
import { readKey, readSettings, type TypedOptions, transportOf } from "../../src/lib/run/settings.ts";
import { spotCheckText } from "../../src/lib/run/spot-check.ts";
import { refusalCode } from "./end-usage.ts";
import { listenForStop, sleep } from "./run-stop.ts";

export interface TypedSpotCheck extends TypedOptions {
  readonly file: string;
  readonly sample?: string;
  readonly seed?: string;
  readonly json?: boolean;
  readonly out?: string;
}

/** What the document records is not typed again. */
const RECORDED = [
  "suite",
  "model",
  "maxAttempts",
  "minIntervalMs",
  "temperature",
  "maxTokens",
  "responseFormat",
  "promptMode",
] as const satisfies readonly (keyof TypedOptions)[];

const problem = (message: string, hint?: string): Finding => ({
  code: "run-option",
  severity: "error",
  message,
  ...(hint === undefined ? {} : { hint }),
});

function refuse(findings: readonly Finding[]): number {
  printFindings(findings);
  return refusalCode(findings);
}

/** True also when one of the two is a link to the other. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((file) => realpath(userPath(file)).catch(() => userPath(file))),
  );
  return a === b;
}

/** `bench:run --spot-check <result.json>`: asks again, compares, prints. The file is read and never written. */
export async function spotCheckCommand(typed: TypedSpotCheck, root: string): Promise<number> {
  const again = RECORDED.filter((option) => typed[option] !== undefined);
  if (again.length > 0)
    return refuse([
      problem(
        `--spot-check asks as the result records; leave out ${again.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`).join(", ")}.`,
      ),
    ]);
  const sample =
    typed.sample === undefined ? null : /^[1-9]\d{0,3}$/.test(typed.sample) ? Number(typed.sample) : 0;
  if (sample === 0) return refuse([problem("--sample: expected a whole number from 1 to 9999.")]);
  if (typed.seed !== undefined && !/^[\x21-\x7e]{1,64}$/.test(typed.seed))
    return refuse([problem("--seed: expected 1 to 64 characters without spaces.")]);
  if (typed.out !== undefined && (await isSameFile(typed.file, typed.out)))
    return refuse([problem("--out names the result itself, which is never written.")]);
  const read = await readUserFile(typed.file);
  if (!read.ok) return refuse(read.findings);
  const parsed = parseResult(read.value, null, typed.file);
  if (!parsed.ok) return refuse(parsed.findings);
  const document = parsed.value;
  // The address is the person's own choice: a document could name any, and would be sent the key.
  const settings = readSettings({
    suite: document.suite.id,
    model: document.model.id,
    ...(typed.baseUrl === undefined ? {} : { baseUrl: typed.baseUrl }),
    ...(typed.maxCalls === undefined ? {} : { maxCalls: typed.maxCalls }),
    ...(typed.timeoutS === undefined ? {} : { timeoutS: typed.timeoutS }),
  });
  if (!settings.ok) return refuse(settings.findings);
  const { address, maxCalls, timeoutS } = settings.value;
  const key = readKey(address, process.env);
  if (!key.ok) return refuse(key.findings);
  const server = address === null ? await startBaselineServer() : null;
  const say = (text: string): boolean => process.stderr.write(`${text}\n`);
  const stop = listenForStop({ line: say });
  try {
    const checked = await spotCheck(
      {
        root,
        document,
        digest: digestOf(read.value),
        seed: typed.seed ?? randomBytes(4).toString("hex"),
        sample,
        maxCalls,
        transport: transportOf(address),
        client: openChatClient({
          baseUrl: address?.baseUrl ?? server?.url ?? "",
          apiKey: key.value,
          timeoutMs: timeoutS * 1000,
          includeUsage: address?.isOpenRouter ?? false,
          fetch,
        }),
      },
      {
        now: () => new Date().toISOString(),
        elapsed: () => performance.now(),
        sleep,
        stop: stop.asked,
        abandon: stop.insisted,
        onMember: ({ member, at, of }) => say(`${at}/${of} ${member} …`),
      },
    );
    if (checked.findings.length > 0) printFindings(checked.findings);
    if (!checked.ok) return 1;
    const text = canonicalDocument(checked.value);
    if (typed.out !== undefined) {
      const failed = await writeUserFile(typed.out, text);
      if (hasErrors(failed)) return refuse(failed);
    }
    process.stdout.write(
      typed.json === true
        ? text
        : `${spotCheckText(checked.value, document).split("\n").map(printable).join("\n")}\n`,
    );
    return checked.value.stopped ? (stop.asked.aborted ? stop.exitCode() : 1) : 0;
  } finally {
    stop.end();
    await server?.close();
  }
}
