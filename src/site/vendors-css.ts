import type { Vendor } from "../lib/code/schema/models-schema.ts";

/**
 * The vendors' colours as a style sheet: `--vendor-<id>` for charts, and `--vendor` where the class `v-<id>` stands, in
 * the light and the dark theme.
 */
export function vendorsCss(vendors: readonly Pick<Vendor, "id" | "colour">[]): string {
  const colours = (theme: "light" | "dark"): string =>
    vendors.map(({ id, colour }) => `--vendor-${id}:${colour[theme]}`).join(";");
  return [
    `:root{${colours("light")}}`,
    `@media (prefers-color-scheme:dark){:root{${colours("dark")}}}`,
    ...vendors.map(({ id }) => `.v-${id}{--vendor:var(--vendor-${id})}`),
    "",
  ].join("\n");
}
