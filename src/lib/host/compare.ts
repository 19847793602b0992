import type { Host } from "../code/schema/hosts-schema.ts";
import type { Finding } from "../findings.ts";
import { fingerprintDigest, type ReadHost, type Sensor, shownBy } from "./reading.ts";

/**
 * Whether a host is the one that its record says, and fit to measure. What cannot be read counts as not fit: a measurement is refused,
 * never made with a warning (F62, F65, F66). Pure.
 */

type Expectation = Host["guards"][string];

/** What is wrong when a sensor shows something else than its guard wants. */
const TROUBLE: Readonly<
  Record<string, { readonly code: string; readonly message: string; readonly hint: string }>
> = {
  governor: {
    code: "host-governor",
    message: "The host's processor is not set to its fixed performance governor.",
    hint: "As root: cpupower frequency-set -g performance, and see docs/runners.md for making it stay.",
  },
  temperature_c: {
    code: "host-hot",
    message: "The host is too hot to measure.",
    hint: "Let it cool down and ask again; look at fans and dust when it stays hot while idle.",
  },
  load_1m: {
    code: "host-loaded",
    message: "The host is busy with other work.",
    hint: "See what runs there (top), stop it, wait a minute and ask again.",
  },
  mains: {
    code: "host-battery",
    message: "The host runs on its battery.",
    hint: "Connect it to mains.",
  },
  low_power_mode: {
    code: "host-low-power",
    message: "The host saves power.",
    hint: "Switch low power mode off: sudo pmset -a lowpowermode 0.",
  },
  free_memory_gib: {
    code: "host-memory",
    message: "The host has too little free memory.",
    hint: "See what holds it; a host that measures runs nothing else.",
  },
  control_ms: {
    code: "host-slow",
    message: "The control kernel takes longer than it does on this host at rest.",
    hint: "Something holds the machine back (heat, power, efficiency cores): see docs/runners.md.",
  },
};
const SAME_TROUBLE: Readonly<Record<string, string>> = {
  energy_preference: "governor",
  thermal_pressure: "temperature_c",
  cpu_pressure: "load_1m",
  chores: "load_1m",
};

/** Everything that speaks against measuring on this host now; nothing when it may. */
export function judgeHost(host: Host, read: ReadHost): Finding[] {
  return [
    ...judgeFingerprint(host, read),
    ...Object.entries(host.guards).flatMap(([name, guard]) => judgeGuard(name, guard, read.sensors[name])),
  ];
}

function judgeFingerprint({ id, fingerprint }: Host, read: ReadHost): Finding[] {
  return Object.entries(fingerprint).flatMap(([name, expected]): Finding[] => {
    const actual = read.fingerprint[name] ?? null;
    if (actual === expected) return [];
    const sides = { expected: `${name} ${expected}`, actual: `${name} ${actual ?? "not readable"}` };
    if (actual === null) return [unreadable(name, sides)];
    if (name === "virtual")
      return [
        {
          code: "host-virtual",
          severity: "error",
          message: expected
            ? "The record says that this host is a virtual machine, and it is none."
            : "This is a virtual machine: its timings say nothing.",
          ...sides,
          hint: "Measure on the machine itself.",
        },
      ];
    return [
      {
        code: "host-wrong",
        severity: "error",
        message: `This machine is not the host ${id} of data/hosts.json.`,
        ...sides,
        hint: "See which machine has the runner with this host's labels. A host that was changed on purpose is registered again: bench host register.",
      },
    ];
  });
}

const unreadable = (name: string, sides: Pick<Finding, "expected" | "actual"> = {}): Finding => ({
  code: "host-unreadable",
  severity: "error",
  message: `The host does not let ${name} be read, so nobody knows whether it may measure.`,
  ...sides,
  hint: "docs/runners.md says what must be readable, and by whom.",
});

function judgeGuard(name: string, guard: Expectation, sensor: Sensor | undefined): Finding[] {
  if (sensor === undefined)
    return [
      {
        code: "host-guard-unknown",
        severity: "error",
        message: `No sensor of this kind of host is called ${name}.`,
        hint: "Correct the name in data/hosts.json; bench host check lists those that there are.",
      },
    ];
  const expected = `${name} ${shown(guard)}`;
  if (guard === "absent") {
    if (sensor.state === "absent") return [];
    if (sensor.state === "unreadable") return [unreadable(name, { expected })];
    return [
      {
        code: "host-sensor-there",
        severity: "error",
        message: `The record says that this host cannot show ${name}, and it can.`,
        expected,
        actual: String(sensor.value),
        hint: "Register the host again with what it really shows: bench host register.",
      },
    ];
  }
  const actual = shownBy(sensor);
  if (actual === null) return [unreadable(name, { expected, actual: sensor.state })];
  if (holds(guard, actual)) return [];
  const trouble = TROUBLE[SAME_TROUBLE[name] ?? name] ?? OTHER;
  return [{ ...trouble, severity: "error", expected, actual: `${name} ${actual}` }];
}

const OTHER = {
  code: "host-guard",
  message: "A sensor of the host shows something else than it must.",
  hint: "docs/runners.md says what each guard is for.",
} as const;

function holds(guard: Exclude<Expectation, "absent">, actual: string | number): boolean {
  if ("equals" in guard) return actual === guard.equals;
  if (typeof actual !== "number") return false;
  return "at_most" in guard ? actual <= guard.at_most : actual >= guard.at_least;
}

const shown = (guard: Expectation): string => {
  if (guard === "absent") return "absent";
  if ("equals" in guard) return String(guard.equals);
  return "at_most" in guard ? `at most ${guard.at_most}` : `at least ${guard.at_least}`;
};

/** Sensors that may not move while a job measures, whatever the record says of them. */
const STEADY = [
  "governor",
  "energy_preference",
  "boost",
  "smt",
  "throttle_count",
  "thermal_pressure",
  "low_power_mode",
  "mains",
  "swapped_pages",
  "clock_source",
] as const;
/** While it works a processor may be warmer than before it, but not at its limit. Degrees Celsius. */
const HOTTEST = 90;
/** Share by which the control kernel may differ before and after. */
const CONTROL_DRIFT = 0.05;

/**
 * What changed on the host between two readings, so that what was measured in between is disturbed: one sentence each. Another
 * fingerprint is another host, and is the first of them.
 */
export function hostChanges(before: ReadHost, after: ReadHost): string[] {
  const changes: string[] = [];
  if (fingerprintDigest(before.fingerprint) !== fingerprintDigest(after.fingerprint))
    changes.push("the host's fingerprint changed");
  for (const name of STEADY) {
    const [was, is] = [before.sensors[name], after.sensors[name]];
    if (JSON.stringify(was) !== JSON.stringify(is))
      changes.push(`${name} changed from ${told(was)} to ${told(is)}`);
  }
  const heat = shownBy(after.sensors.temperature_c);
  if (typeof heat === "number" && heat >= HOTTEST) changes.push(`the processor reached ${heat} degrees`);
  const [first, last] = [before, after].map(({ sensors }) => shownBy(sensors.control_ms));
  if (typeof first === "number" && typeof last === "number" && Math.abs(last / first - 1) > CONTROL_DRIFT)
    changes.push(`the control kernel took ${first} ms before and ${last} ms after`);
  return changes;
}

const told = (sensor: Sensor | undefined): string =>
  sensor?.state === "value" ? String(sensor.value) : (sensor?.state ?? "absent");
