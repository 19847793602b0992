import { patientFetch } from "../../src/io/code/council-fetch.ts";
import type { DataSource } from "../../src/io/code/data-source.ts";
import { openChatClient } from "../../src/io/run/chat-client.ts";
import { judgeSettings } from "../../src/jobs/code-council-judge.ts";
import { reviewPack } from "../../src/jobs/code-council-review.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { plural } from "../../src/lib/result-pr/words-text.ts";
import { readAddress, readKey } from "../../src/lib/run/settings.ts";
import { listenForStop, sleep } from "../benchmarks/run-stop.ts";
import type { Door } from "./command.ts";

interface Asked {
  readonly pack: string;
  readonly judge: string;
  readonly model?: string;
  readonly baseUrl: string;
  readonly timeoutS: number;
  readonly maxTokens?: number;
  readonly council: string;
  /** Where the letters map lies, when `council import` has to be told. */
  readonly letters: string | null;
}

/** The key-free baseline answers recipes; it is no judge. */
const withoutBaseline = (finding: Finding): Finding =>
  finding.code === "run-key-missing"
    ? {
        ...finding,
        hint: "Give the key in the environment of this one command; another address (--base-url) may need none.",
      }
    : finding;

/** `council review` without its CI check: settings, key, signals, the review, and where its session lies. */
export async function runReview(
  source: DataSource,
  asked: Asked,
  { stdout, stderr }: Door,
): Promise<Finding[]> {
  const address = readAddress(asked.baseUrl);
  if (!address.ok) return address.findings;
  const key = readKey(address.value, process.env);
  if (!key.ok) return key.findings.map(withoutBaseline);
  const judge = await judgeSettings(source, asked.judge, asked.model, new Date().toISOString());
  if (!judge.ok) return judge.findings;
  const say = (line: string): void => void stderr.write(`${line}\n`);
  const stop = listenForStop({ line: say });
  try {
    const reviewed = await reviewPack(
      {
        ...{ pack: asked.pack, judge: asked.judge, council: asked.council, ...judge.value },
        address: address.value.baseUrl,
        maxTokens: asked.maxTokens ?? null,
        client: openChatClient({
          baseUrl: address.value.baseUrl,
          apiKey: key.value,
          timeoutMs: asked.timeoutS * 1000,
          includeUsage: address.value.isOpenRouter,
          fetch: patientFetch,
        }),
      },
      { now: () => new Date().toISOString(), sleep, stop: stop.asked, abandon: stop.insisted, say },
    );
    if (reviewed.ok) {
      const { file, session, missing } = reviewed.value;
      stdout.write(
        `${file}\n${plural(session.reviews.length, "review")}, ${missing.length} missing.\nNext: tools/bench council import ${file} --run <run>${asked.letters === null ? "" : ` --letters ${asked.letters}`}\n`,
      );
    }
    return reviewed.findings;
  } finally {
    stop.end();
  }
}
