// npm run schemas [-- --check]: writes schemas/*.json from the zod schemas, or says which are stale.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { resultSchema } from "../../src/lib/benchmarks/result-schema.ts";
import { suiteSchema } from "../../src/lib/benchmarks/suite-schema.ts";
import { reportSchema } from "../../src/lib/result-pr/report-schema.ts";

const folder = fileURLToPath(new URL("../../schemas", import.meta.url));
const SCHEMAS: Record<string, () => unknown> = {
  "report.json": () => z.toJSONSchema(reportSchema),
  "result.json": () => z.toJSONSchema(resultSchema),
  "suite.json": () => z.toJSONSchema(suiteSchema),
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
