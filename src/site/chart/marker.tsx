import type { ComponentChildren, JSX } from "preact";
import type { Vendor } from "../../lib/code/schema/models-schema.ts";
import type { VendorLook } from "../ui/model-name.tsx";
import { vendorPaint } from "./look.ts";

/** The marker shapes of `data/models.json`: told apart by outline alone, also in forced colours and in print. */

export type MarkerShape = Vendor["marker"];

const number = (value: number): string => String(Number(value.toFixed(2)));

/** A closed outline through points around the middle, given by angle (clockwise from the top) and distance. */
const outline = (points: readonly (readonly [angle: number, distance: number])[]): string =>
  `M${points
    .map(([angle, distance]) => {
      const turn = (angle * Math.PI) / 180;
      return `${number(distance * Math.sin(turn))} ${number(-distance * Math.cos(turn))}`;
    })
    .join("L")}Z`;

const regular = (corners: number, distance: number, turn = 0): string =>
  outline(
    Array.from({ length: corners }, (_, corner) => [turn + (corner * 360) / corners, distance] as const),
  );

const disc = (radius: number): string => {
  const r = number(radius);
  return `M-${r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 -${r} 0Z`;
};

const OUTLINES: Readonly<Record<MarkerShape, (size: number) => string>> = {
  circle: (size) => disc(size),
  square: (size) => regular(4, size * 1.25, 45),
  triangle: (size) => regular(3, size * 1.3),
  diamond: (size) => regular(4, size * 1.35),
  cross: (size) => {
    const [arm, long] = [size * 0.42, size * 1.1];
    const [a, l] = [number(arm), number(long)];
    return `M-${a} -${l}H${a}V-${a}H${l}V${a}H${a}V${l}H-${a}V${a}H-${l}V-${a}H-${a}Z`;
  },
  star: (size) =>
    outline(Array.from({ length: 10 }, (_, k) => [k * 36, size * (k % 2 === 0 ? 1.4 : 0.6)] as const)),
  pentagon: (size) => regular(5, size * 1.2),
  hexagon: (size) => regular(6, size * 1.15, 30),
  // The hole is cut out by the even-odd rule.
  ring: (size) => disc(size * 1.1) + disc(size * 0.55),
};

const isShape = (name: string): name is MarkerShape => Object.hasOwn(OUTLINES, name);

/**
 * Outline of a shape around (0, 0), for `<path d fill-rule="evenodd">`.
 * @param size half its width, about: shapes are balanced to look equally large, none reaches beyond 1.4 × the size
 * @param shape a name of `MARKERS`; any other is drawn as a circle
 */
export const markerPath = (shape: string, size: number): string =>
  OUTLINES[isShape(shape) ? shape : "circle"](size);

/** A marker within a chart. */
export const Marker = ({
  vendor,
  x,
  y,
  size,
  children,
}: {
  readonly vendor: VendorLook;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly children?: ComponentChildren;
}): JSX.Element => (
  <g class="chart-shape" transform={`translate(${number(x)} ${number(y)})`}>
    {vendor.marker === "ring" ? <circle class="chart-hole" r={number(size)} /> : null}
    <path
      class="chart-marker"
      d={markerPath(vendor.marker, size)}
      fill={vendorPaint(vendor)}
      fill-rule="evenodd"
    >
      {children}
    </path>
  </g>
);

/** A marker in a line of text, as in tables and legends: decoration beside a name that says it all. */
export const MarkerIcon = ({ vendor }: { readonly vendor: VendorLook }): JSX.Element => (
  <svg class="marker-icon" viewBox="-8 -8 16 16" width="14" height="14" aria-hidden="true" focusable="false">
    <Marker vendor={vendor} x={0} y={0} size={5.6} />
  </svg>
);
