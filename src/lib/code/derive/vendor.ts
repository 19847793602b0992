import type { Catalogue } from "../check/catalogue.ts";
import { parseConfiguration } from "../schema/names.ts";

/** Vendor of a configuration's model. @throws RangeError for a model that is not listed, which checks refuse first. */
export function vendorOf(configuration: string, { models }: Catalogue): string {
  const model = models.get(parseConfiguration(configuration).model);
  if (model === undefined) throw new RangeError(`no such model: ${configuration}`);
  return model.vendor;
}
