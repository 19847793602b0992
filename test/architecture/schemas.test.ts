import { describe, expect, it } from "vitest";
import { bankRecordSchema } from "../../src/lib/benchmarks/bank-record.ts";
import { resultSchema } from "../../src/lib/benchmarks/result-schema.ts";
import { suiteDraftSchema } from "../../src/lib/benchmarks/suite-draft.ts";
import { suiteSchema } from "../../src/lib/benchmarks/suite-schema.ts";
import { vocabularySchema } from "../../src/lib/benchmarks/vocabulary.ts";
import { qualitySchema } from "../../src/lib/code/schema/quality-schema.ts";
import { boardIndexSchema, boardSuiteSchema } from "../../src/lib/feed/board-schema.ts";
import {
  evidenceIndexSchema,
  indexSchema,
  modelIndexSchema,
  suiteIndexSchema,
} from "../../src/lib/feed/index-schema.ts";
import { feedSchema, registrySchema } from "../../src/lib/feed/schema.ts";
import { withdrawalSchema } from "../../src/lib/feed/withdrawal.ts";
import { findingSchema } from "../../src/lib/findings.ts";
import { perfReportSchema } from "../../src/lib/perf/report-schema.ts";
import { reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { recipeSchema } from "../../src/lib/sheet/recipe-schema.ts";

const SCHEMAS = {
  bankRecordSchema,
  boardIndexSchema,
  boardSuiteSchema,
  evidenceIndexSchema,
  feedSchema,
  findingSchema,
  indexSchema,
  modelIndexSchema,
  perfReportSchema,
  qualitySchema,
  recipeSchema,
  registrySchema,
  reportSchema,
  resultSchema,
  suiteDraftSchema,
  suiteIndexSchema,
  suiteSchema,
  vocabularySchema,
  withdrawalSchema,
};

describe("every schema of a committed or exchanged document", () => {
  it.each(Object.entries(SCHEMAS))("%s rejects an empty object and a key it does not know", (_, schema) => {
    expect(schema.safeParse({}).success).toBe(false);
    const issues = schema.safeParse({ surprise: 1 }).error?.issues ?? [];
    expect(issues.some((issue) => issue.code === "unrecognized_keys")).toBe(true);
  });
});
