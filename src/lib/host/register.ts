import { type Host, type Hosts, hostSchema } from "../code/schema/hosts-schema.ts";
import { type ReadHost, type Sensor, shownBy } from "./reading.ts";

/** Entries of `data/hosts.json`, made from what a machine shows. Pure. */

/** What a fingerprint pins; the rest of it tells series apart. */
const PINNED = ["cpu", "cores", "threads", "arch", "os", "virtual"] as const;
/** On a host of the board also what a rebuilt or reset machine would have otherwise. */
const PINNED_ON_BOARD = ["model", "microcode", "memory_gib", "boost", "smt"] as const;

type Guard = Host["guards"][string];

/** What sensors of a host of the board must show, where a Linux host and a Mac have them (docs/runners.md says why each). */
export const BOARD_GUARDS: Readonly<Record<string, Readonly<Record<string, Guard>>>> = {
  linux: {
    governor: { equals: "performance" },
    temperature_c: { at_most: 60 },
    load_1m: { at_most: 0.5 },
    cpu_pressure: { at_most: 0 },
    free_memory_gib: { at_least: 2 },
    mains: { equals: 1 },
    clock_source: { equals: "tsc" },
  },
  macos: {
    thermal_pressure: { equals: 0 },
    low_power_mode: { equals: 0 },
    load_1m: { at_most: 1 },
    free_memory_gib: { at_least: 2 },
    mains: { equals: 1 },
    translated: { equals: 0 },
    chores: { equals: 0 },
  },
};

/** How much slower than when it was registered the control kernel may be. */
const CONTROL_MARGIN = 1.1;

export interface Registration {
  readonly id: string;
  readonly name: string;
  readonly class: Host["class"];
  readonly labels: readonly string[];
  readonly keys: Host["keys"];
}

/**
 * The entry of a machine. A board's host is held to the whole table of its system. A rehearsal's host is held to having no more sensors
 * than now: it can be any machine, and what it measures never counts.
 * @throws RangeError when the machine does not show what an entry needs
 */
export function deriveHostEntry(registration: Registration, { fingerprint, sensors }: ReadHost): Host {
  const board = registration.class === "board";
  const pins = [...PINNED, ...(board ? PINNED_ON_BOARD : [])].flatMap((name) => {
    const value = fingerprint[name] ?? null;
    return value === null ? [] : [[name, value] as const];
  });
  const control = shownBy(sensors.control_ms);
  const parsed = hostSchema.safeParse({
    ...registration,
    fingerprint: Object.fromEntries(pins),
    guards: board
      ? {
          ...BOARD_GUARDS[String(fingerprint.os)],
          ...(typeof control === "number"
            ? { control_ms: { at_most: Math.ceil(control * CONTROL_MARGIN) } }
            : {}),
        }
      : absences(sensors),
  });
  if (!parsed.success)
    throw new RangeError(
      parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
    );
  return parsed.data;
}

const absences = (sensors: Readonly<Record<string, Sensor>>): Record<string, Guard> =>
  Object.fromEntries(
    Object.entries(sensors)
      .filter(([, { state }]) => state === "absent")
      .map(([name]) => [name, "absent" as const]),
  );

/** The document with this entry in the place of its namesake, whose keys it keeps, or at its end. */
export function withHost(hosts: Hosts, entry: Host): Hosts {
  const known = hosts.hosts.find(({ id }) => id === entry.id);
  if (known === undefined) return { ...hosts, hosts: [...hosts.hosts, entry] };
  const fresh = entry.keys.filter(({ id }) => !known.keys.some((key) => key.id === id));
  const merged = { ...entry, keys: [...known.keys, ...fresh] };
  return { ...hosts, hosts: hosts.hosts.map((host) => (host.id === entry.id ? merged : host)) };
}
