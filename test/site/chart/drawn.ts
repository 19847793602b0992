import type { JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import { type LookOf, vendorPaint } from "../../../src/site/chart/look.ts";
import type { VendorLook } from "../../../src/site/ui/model-name.tsx";

/** What a chart draws, read from its markup. */

export const VENDORS: readonly VendorLook[] = [
  { id: "aurum", name: "Aurum", marker: "circle", mark: "A" },
  { id: "basalt", name: "Basalt", marker: "square", mark: "B" },
  { id: "cobalt", name: "Cobalt", marker: "triangle", mark: "C" },
];

/** Configurations `aurum-1@high` are of vendor `aurum`, and lead to their rows. */
export const lookOf: LookOf = (configuration) => {
  const [model = "", effort = "default"] = configuration.split("@");
  const vendor = VENDORS.find(({ id }) => model.startsWith(id)) ?? VENDORS[0]!;
  return { name: model, effort, vendor, href: `#row-${configuration}` };
};

export const paintOf = (configuration: string): string => vendorPaint(lookOf(configuration).vendor);

export interface Shape {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export const htmlOf = (chart: JSX.Element): string => renderToString(chart);

/** The drawing of one layout. */
export function drawingOf(chart: JSX.Element, layout: "wide" | "narrow" = "wide"): string {
  const drawing = new RegExp(`<svg class="chart-${layout}".*?</svg>`, "s").exec(htmlOf(chart))?.[0];
  if (drawing === undefined) throw new Error(`no ${layout} drawing`);
  return drawing;
}

/** Opening tags that have a class, in order. */
export const shapesOf = (markup: string, name: string): Shape[] =>
  [...markup.matchAll(/<([a-z]+)((?: [a-z0-9:-]+="[^"]*")*) ?\/?>/g)].flatMap(([, tag = "", rest = ""]) => {
    const attributes = Object.fromEntries(
      [...rest.matchAll(/ ([a-z0-9:-]+)="([^"]*)"/gi)].map(([, key = "", value = ""]) => [
        key,
        decoded(value),
      ]),
    );
    return (attributes.class ?? "").split(" ").includes(name) ? [{ tag, attributes }] : [];
  });

const decoded = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** All words of a markup, tags left out. */
export const wordsOf = (markup: string): string =>
  decoded(markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " "));

export const numberOf = ({ attributes }: Shape, name: string): number => Number(attributes[name]);

/** Where the group of a marker (`chart-shape`) stands. */
export function placeOf({ attributes }: Shape): { x: number; y: number } {
  const [, x, y] = /translate\((\S+) (\S+)\)/.exec(attributes.transform ?? "") ?? [];
  return { x: Number(x), y: Number(y) };
}
