import type { DataSource } from "../io/code/data-source.ts";
import { instantMs } from "../lib/benchmarks/instant.ts";
import { type Judges, judgesSchema } from "../lib/code/schema/judges-schema.ts";
import { modelsSchema } from "../lib/code/schema/models-schema.ts";
import { parseConfiguration } from "../lib/code/schema/names.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { DocumentReader } from "./code-data-files.ts";

/** How a judge is asked. */
export interface JudgeSettings {
  readonly model: string;
  /** Null where the model has no levels. */
  readonly effort: string | null;
}

/** Why a judge cannot be asked now: it is not listed, not yet on the council, or retired. */
export function judgeProblems({ judges }: Judges, id: string, now: string): Finding[] {
  const problem = (code: string, message: string, expected: string): Finding[] => [
    { code, severity: "error", message, path: "data/judges.json", expected, actual: id },
  ];
  const judge = judges.find((each) => each.id === id);
  if (judge === undefined)
    return problem(
      "code-data-unknown-judge",
      "data/judges.json has no such judge.",
      judges.map((each) => each.id).join(", "),
    );
  const at = instantMs(now) ?? 0;
  return (instantMs(judge.joined_at) ?? 0) > at || (instantMs(judge.retired_at ?? "") ?? Infinity) <= at
    ? problem(
        "code-council-retired",
        "The judge is not on the council now.",
        `from ${judge.joined_at}${judge.retired_at === undefined ? "" : ` to ${judge.retired_at}`}`,
      )
    : [];
}

const none = (): Finding[] => [];

/**
 * Model and effort of a judge. A name of the model other than its id has to be one of its `log_names`, so that nobody else
 * is asked under the judge's id and the review can be priced.
 */
export async function judgeSettings(
  source: DataSource,
  id: string,
  name: string | undefined,
  now: string,
): Promise<Outcome<JudgeSettings>> {
  const reader = new DocumentReader(source);
  const models = await reader.read("data/models.json", modelsSchema, none);
  const judges = await reader.read("data/judges.json", judgesSchema, none);
  const fail = (code: string, message: string, details: Partial<Finding>): Outcome<JudgeSettings> => ({
    ok: false,
    findings: [...reader.findings, { code, severity: "error", message, ...details }],
  });
  if (models === null || judges === null) return { ok: false, findings: reader.findings };
  const judge = judges.judges.find((each) => each.id === id);
  if (judge === undefined || judgeProblems(judges, id, now).length > 0)
    return { ok: false, findings: [...reader.findings, ...judgeProblems(judges, id, now)] };
  const { model: modelId, effort } = parseConfiguration(judge.configuration);
  const model = models.models.find((each) => each.id === modelId);
  const names = model === undefined ? [] : [model.id, ...model.log_names];
  const asked = name ?? modelId;
  if (!names.includes(asked))
    return fail("code-council-model", "This is not the judge's model.", {
      path: "data/models.json",
      expected: names.join(", ") || `a model ${modelId}`,
      actual: asked,
      hint: "Ask for the judge's own model; add the address's name for it to its log_names.",
    });
  return { ok: true, value: { model: asked, effort: effort === "default" ? null : effort }, findings: [] };
}
