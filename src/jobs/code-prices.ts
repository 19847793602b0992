import { type FileSource, folderSource, writeFilesWhole } from "../io/files.ts";
import {
  type Catalogue,
  type CatalogueUpdate,
  catalogueSchema,
  type UpdateOptions,
  updateFromCatalogue,
} from "../lib/code/cost/catalogue.ts";
import { checkPricing } from "../lib/code/cost/check.ts";
import { type Pricing, pricingSchema } from "../lib/code/schema/pricing-schema.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { locateFindings } from "../lib/strict-json/parse.ts";
import { parseLocated, parseWithSchema } from "../lib/strict-json/schema.ts";

const PATH = "data/pricing.json";
/** The whole catalogue is a few megabytes. */
export const CATALOGUE_BYTES: number = 64 * 1024 * 1024;

/** The price cards of a folder with `data/`. */
export async function readPricing(source: FileSource): Promise<Outcome<Pricing>> {
  const bytes = await source(PATH);
  if (bytes === null)
    return {
      ok: false,
      findings: [
        {
          code: "code-data-missing-file",
          severity: "error",
          message: "This file is needed and is not there.",
          path: PATH,
        },
      ],
    };
  const parsed = parseLocated(bytes, pricingSchema, { path: PATH, code: "code-data" });
  if (!parsed.ok) return parsed;
  const { value, json } = parsed.value;
  const findings = locateFindings(checkPricing(value), json.position, PATH);
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value, findings };
}

/** Appends to the price cards of a folder what a catalogue says differently; with findings that block, nothing is written. */
export async function updatePrices(
  root: string,
  catalogue: { readonly label: string; readonly bytes: Uint8Array },
  options: UpdateOptions,
): Promise<Outcome<Omit<CatalogueUpdate, "findings">>> {
  const pricing = await readPricing(folderSource(root));
  if (!pricing.ok) return pricing;
  const parsed: Outcome<Catalogue> = parseWithSchema(catalogue.bytes, catalogueSchema, {
    path: catalogue.label,
    code: "code-data",
    maxBytes: CATALOGUE_BYTES,
  });
  if (!parsed.ok) return parsed;
  const update = updateFromCatalogue(pricing.value, parsed.value, options);
  const findings: Finding[] = [...update.findings, ...checkPricing(update.pricing)];
  if (hasErrors(findings)) return { ok: false, findings };
  if (update.changes.length > 0)
    await writeFilesWhole(root, [{ path: PATH, data: `${JSON.stringify(update.pricing, null, 2)}\n` }]);
  return { ok: true, value: update, findings };
}
