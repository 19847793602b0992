import { readFileText } from "../src/io/github/contents.ts";
import type { JobCheck } from "../src/lib/bot/jobs.ts";
import { PUBLISHED_BRANCH } from "../src/lib/bot/publish.ts";
import { dataSchema } from "../src/lib/code/derive/data-schema.ts";
import { defectsSchema } from "../src/lib/code/schema/defects-schema.ts";
import { recallChange } from "../src/lib/defects/recall-change.ts";
import type { RecallChange } from "../src/lib/defects/report-schema.ts";
import { confirmedPlaces } from "../src/lib/defects/verification.ts";
import { withDefects } from "../src/lib/defects/with-defects.ts";
import type { JobReport } from "../src/lib/job/report-schema.ts";
import { parseWithSchema } from "../src/lib/strict-json/schema.ts";
import type { BotContext } from "./context.ts";

/** Larger derived data is not read for this. */
const DATA_BYTES = 64 * 2 ** 20;

/**
 * How judge recall moves with a verification, from what is published and the defects as the judged head has them. Null where nothing is
 * published, and where one of both cannot be read. Reviews that come with the same pull request are not in what is published.
 */
export async function readRecallChange(
  { repository }: BotContext,
  job: JobCheck,
  { results }: JobReport,
): Promise<RecallChange | null> {
  const [task = "", defect = ""] = job.note.target.split("/");
  const path = `data/defects/${task}.json`;
  const text = await readFileText(repository, path, job.headSha);
  const derived = text === null ? null : await readFileText(repository, "data.json", PUBLISHED_BRANCH);
  if (text === null || derived === null) return null;
  const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
  const document = parseWithSchema(bytes(text), defectsSchema, { path, code: "code-data" });
  const data = parseWithSchema(bytes(derived), dataSchema, {
    path: "data.json",
    code: "code-data",
    maxBytes: DATA_BYTES,
  });
  if (!document.ok || !data.ok) return null;
  return recallChange(withDefects(data.value, document.value), { task, defect }, confirmedPlaces(results));
}
