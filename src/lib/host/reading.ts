import { canonicalJson } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import type { HostReading } from "../job/report-schema.ts";

/** What a host says of itself, as plain data. Who reads it is `src/io/host`; what follows is `compare.ts`. Pure. */

/**
 * Texts of a host by name: files by their path from the root (`proc/cpuinfo`), the names in a folder one a line by its path with a slash
 * at its end, outputs of commands by the command's line. A name that is not there: the host has no such thing. Null: it has, and it could
 * not be read.
 */
export type HostTexts = ReadonlyMap<string, string | null>;

export type Value = string | number | boolean;

/** What one sensor shows. Not there and not readable are told apart: only the former may be expected. */
export type Sensor =
  | { readonly state: "value"; readonly value: string | number }
  | { readonly state: "absent" }
  | { readonly state: "unreadable" };

export interface ReadHost {
  /** What it is: changes with hardware and settings, and not with what it does. Null: not known here. */
  readonly fingerprint: Readonly<Record<string, Value | null>>;
  /** What it does now, by the names that guards use. */
  readonly sensors: Readonly<Record<string, Sensor>>;
}

export const ABSENT: Sensor = { state: "absent" };
export const UNREADABLE: Sensor = { state: "unreadable" };

/** A sensor from what was found: undefined is not there, null and not-a-number cannot be read. */
export const sensorOf = (found: string | number | null | undefined): Sensor => {
  if (found === undefined) return ABSENT;
  if (found === null || Number.isNaN(found)) return UNREADABLE;
  return { state: "value", value: found };
};

/** The sensor's value; null when there is none to be had. */
export const shownBy = (sensor: Sensor | undefined): string | number | null =>
  sensor?.state === "value" ? sensor.value : null;

/** SHA-256 of the canonical JSON of a fingerprint: results of different ones are different series (F63). */
export const fingerprintDigest = (fingerprint: ReadHost["fingerprint"]): string =>
  digestOf(canonicalJson(fingerprint));

/** Sensors as a report holds them. `at`: ISO 8601 UTC. */
export function reportReading({ sensors }: ReadHost, at: string): HostReading {
  const entries = Object.entries(sensors);
  const unreadable = entries.filter(([, { state }]) => state === "unreadable").map(([name]) => name);
  return {
    at,
    values: Object.fromEntries(entries.map(([name, sensor]) => [name, shownBy(sensor)])),
    ...(unreadable.length === 0 ? {} : { unreadable }),
  };
}

/** Lines of `name<separator>value`; of equal names the first counts. */
export function fieldsOf(text: string, separator = ":"): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const at = line.indexOf(separator);
    if (at < 0) continue;
    const name = line.slice(0, at).trim();
    if (!fields.has(name)) fields.set(name, line.slice(at + separator.length).trim());
  }
  return fields;
}

/** The one value of several texts, or all different ones joined; undefined without texts, null when one cannot be read. */
export function commonOf(texts: readonly (string | null)[]): string | null | undefined {
  if (texts.length === 0) return undefined;
  if (texts.some((text) => text === null)) return null;
  return [...new Set(texts.map((text) => (text ?? "").trim()))].sort().join(",");
}

/** A number that begins a text; null for a text without one. */
export function numberIn(text: string | null | undefined): number | null | undefined {
  if (text === undefined || text === null) return text;
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? value : null;
}
