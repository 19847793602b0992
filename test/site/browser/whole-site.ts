import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Data } from "../../../src/lib/code/derive/data-schema.ts";
import { modelsSchema } from "../../../src/lib/code/schema/models-schema.ts";
import type { History } from "../../../src/lib/feed/history.ts";
import type { SheetSuite } from "../../../src/site/sheet/input.ts";
import { renderSite, type SiteFile } from "../../../src/site/site.tsx";
import { LOCAL_SITE } from "../../../src/site/site-info.ts";
import { REPOSITORY } from "../../jobs/temp-suite.ts";

export interface Shown {
  readonly code?: Data | null;
  readonly suites?: readonly SheetSuite[];
  readonly history?: History | null;
}

/** The site as it ships: with the committed client, whatever it shows. */
export function wholeSite({ code = null, suites = [], history = null }: Shown): SiteFile[] {
  const assets = join(REPOSITORY, "dist/site");
  const { vendors } = modelsSchema.parse(
    JSON.parse(readFileSync(join(REPOSITORY, "data/models.json"), "utf8")),
  );
  return renderSite({
    info: LOCAL_SITE,
    code,
    suites,
    vendors,
    history,
    methodology: readFileSync(join(REPOSITORY, "METHODOLOGY.md"), "utf8"),
    assets: readdirSync(assets).map((name) => ({ name, data: readFileSync(join(assets, name)) })),
  });
}
