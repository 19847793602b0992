// npm run schemas [-- --check]: writes schemas/*.json from the zod schemas, or says which are stale.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { bankPolicySchema } from "../../src/lib/benchmarks/bank-policy.ts";
import { bankRecordSchema } from "../../src/lib/benchmarks/bank-record.ts";
import { resultSchema } from "../../src/lib/benchmarks/result-schema.ts";
import { suiteDraftSchema } from "../../src/lib/benchmarks/suite-draft.ts";
import { suiteSchema } from "../../src/lib/benchmarks/suite-schema.ts";
import { vaultLockSchema } from "../../src/lib/benchmarks/vault-lock.ts";
import { vocabularySchema } from "../../src/lib/benchmarks/vocabulary.ts";
import { dataSchema } from "../../src/lib/code/derive/data-schema.ts";
import { anchorsSchema } from "../../src/lib/code/schema/anchors-schema.ts";
import { defectsSchema } from "../../src/lib/code/schema/defects-schema.ts";
import { hostsSchema } from "../../src/lib/code/schema/hosts-schema.ts";
import { judgesSchema } from "../../src/lib/code/schema/judges-schema.ts";
import { modelsSchema } from "../../src/lib/code/schema/models-schema.ts";
import { pricingSchema } from "../../src/lib/code/schema/pricing-schema.ts";
import { runSchema } from "../../src/lib/code/schema/run-schema.ts";
import { taskSchema } from "../../src/lib/code/schema/task-schema.ts";
import { defectsReportSchema } from "../../src/lib/defects/report-schema.ts";
import { boardIndexSchema, boardSuiteSchema } from "../../src/lib/feed/board-schema.ts";
import {
  evidenceIndexSchema,
  indexSchema,
  modelIndexSchema,
  suiteIndexSchema,
} from "../../src/lib/feed/index-schema.ts";
import { feedSchema, registrySchema } from "../../src/lib/feed/schema.ts";
import { withdrawalSchema } from "../../src/lib/feed/withdrawal.ts";
import { orderSchema } from "../../src/lib/job/order-schema.ts";
import { jobReportSchema } from "../../src/lib/job/report-schema.ts";
import { perfReportSchema } from "../../src/lib/perf/report-schema.ts";
import { reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { recipeJsonSchema } from "../../src/lib/sheet/recipe-schema.ts";
import {
  checkOutcomeSchema,
  hiddenOutcomeSchema,
  perfOutcomeSchema,
} from "../../src/lib/task/outcome-schema.ts";

const folder = fileURLToPath(new URL("../../schemas", import.meta.url));
const SCHEMAS: Record<string, () => unknown> = {
  "bank-policy.json": () => z.toJSONSchema(bankPolicySchema),
  "bank-record.json": () => z.toJSONSchema(bankRecordSchema),
  "board-index.json": () => z.toJSONSchema(boardIndexSchema),
  "board-suite.json": () => z.toJSONSchema(boardSuiteSchema),
  "code-anchors.json": () => z.toJSONSchema(anchorsSchema),
  "code-defects.json": () => z.toJSONSchema(defectsSchema),
  "code-hosts.json": () => z.toJSONSchema(hostsSchema),
  "code-judges.json": () => z.toJSONSchema(judgesSchema),
  "code-models.json": () => z.toJSONSchema(modelsSchema),
  "code-pricing.json": () => z.toJSONSchema(pricingSchema),
  "code-run.json": () => z.toJSONSchema(runSchema),
  "code-task.json": () => z.toJSONSchema(taskSchema),
  "defects-report.json": () => z.toJSONSchema(defectsReportSchema),
  "data.json": () => z.toJSONSchema(dataSchema),
  "feed.json": () => z.toJSONSchema(feedSchema),
  "index.json": () => z.toJSONSchema(indexSchema),
  "index-evidence.json": () => z.toJSONSchema(evidenceIndexSchema),
  "index-model.json": () => z.toJSONSchema(modelIndexSchema),
  "index-suite.json": () => z.toJSONSchema(suiteIndexSchema),
  "job-order.json": () => z.toJSONSchema(orderSchema),
  "job-report.json": () => z.toJSONSchema(jobReportSchema),
  "perf-report.json": () => z.toJSONSchema(perfReportSchema),
  "recipe.json": recipeJsonSchema,
  "registry.json": () => z.toJSONSchema(registrySchema),
  "report.json": () => z.toJSONSchema(reportSchema),
  "result.json": () => z.toJSONSchema(resultSchema),
  "task-check.json": () => z.toJSONSchema(checkOutcomeSchema),
  "task-hidden.json": () => z.toJSONSchema(hiddenOutcomeSchema),
  "task-perf.json": () => z.toJSONSchema(perfOutcomeSchema),
  "suite.json": () => z.toJSONSchema(suiteSchema),
  "suite-draft.json": () => z.toJSONSchema(suiteDraftSchema),
  "vault-lock.json": () => z.toJSONSchema(vaultLockSchema),
  "vocabulary.json": () => z.toJSONSchema(vocabularySchema),
  "withdrawal.json": () => z.toJSONSchema(withdrawalSchema),
};

const check = process.argv.includes("--check");
await mkdir(folder, { recursive: true });
for (const [name, build] of Object.entries(SCHEMAS)) {
  const text = `${JSON.stringify(build(), null, 2)}\n`;
  const file = join(folder, name);
  const current = await readFile(file, "utf8").catch(() => null);
  if (current === text) continue;
  if (check) {
    console.log(`schemas/${name} is stale: npm run schemas`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`wrote schemas/${name}`);
  }
}
