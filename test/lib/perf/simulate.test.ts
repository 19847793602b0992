import { describe, expect, it } from "vitest";
import {
  SIMULATED_HOSTS,
  type SimulatedHost,
  simulateMeasurement,
  simulateRates,
} from "../../../src/lib/perf/simulate.ts";

const RUNS = 100;
const DRAWS = 500;
const host = (name: string): SimulatedHost => SIMULATED_HOSTS.find((each) => each.name === name)!;
const rates = (on: SimulatedHost, speedup: number, runs = RUNS) =>
  simulateRates(on, speedup, runs, { seed: "test", draws: DRAWS });

describe("F64: on hosts with noise of at most 2%, spikes and drift", () => {
  it.each([
    "noise 0.5%",
    "noise 1%",
    "noise 2%",
    "noise 2%, spikes",
    "noise 1.5%, spikes, walk 0.2% a sample",
    "noise 1.5%, spikes, walk 0.5% a sample",
    "noise 1.5%, spikes, rise 3%",
    "noise 1.5%, spikes, rise 10%",
  ])("%s: at most 5% false alarms, and at least 95% of true changes of 3% found", (name) => {
    const alike = rates(host(name), 1).verdicts;
    expect(alike.faster + alike.slower).toBeLessThanOrEqual(0.05 * RUNS);
    const faster = rates(host(name), 1.03).verdicts;
    expect(faster.faster).toBeGreaterThanOrEqual(0.95 * RUNS);
    expect(faster.slower).toBe(0);
    expect(rates(host(name), 1 / 1.03).verdicts.slower).toBeGreaterThanOrEqual(0.95 * RUNS);
  });
});

describe("F64: on hosts that are worse", () => {
  it("neither noise nor two kinds of cores become a claim", () => {
    for (const name of ["noise 5%", "noise 1%, two modes, 30% of samples 2 times as long"]) {
      const { verdicts, noisy, disturbed } = rates(host(name), 1, 30);
      expect(verdicts.faster + verdicts.slower).toBe(0);
      expect(noisy + disturbed).toBeGreaterThanOrEqual(30);
    }
  });

  it("strong drift costs power, not truth", () => {
    const { verdicts } = rates(host("noise 1.5%, spikes, walk 1% a sample"), 1, 60);
    expect(verdicts.faster + verdicts.slower).toBeLessThanOrEqual(3);
  });
});

describe("a simulated measurement", () => {
  it("is the same for the same seed, and stops early only where that says something", () => {
    const quiet = simulateMeasurement(host("noise 0.5%"), 1.03, { seed: "a", draws: DRAWS });
    expect(quiet).toEqual(simulateMeasurement(host("noise 0.5%"), 1.03, { seed: "a", draws: DRAWS }));
    expect(quiet.rounds).toBe(15);
    const loud = simulateMeasurement(host("noise 5%"), 1.03, { seed: "a", draws: DRAWS });
    expect(loud).toMatchObject({ rounds: 122, attempts: 2, analysis: { verdict: "inconclusive" } });
  });
});
