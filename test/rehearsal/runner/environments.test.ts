import { expect, it } from "vitest";
import type { ActionsStore } from "../../../rehearsal/hub/contract.ts";
import { conclusions, logOf, makeWorld } from "./world.ts";

const GUARDED = `run-name: perf on m1, job 7
on: push
jobs:
  guard:
    runs-on: ubuntu-latest
    environment: { name: assay-perf }
    outputs: { labels: '["self-hosted", "m1"]' }
    steps: [{ run: echo guarded }]
  measure:
    needs: guard
    runs-on: \${{ fromJSON(needs.guard.outputs.labels) }}
    concurrency: { group: host-m1, queue: max }
    permissions: {}
    steps: [{ run: echo measured }]
  report:
    needs: [guard, measure]
    if: \${{ !cancelled() }}
    runs-on: ubuntu-latest
    steps: [{ run: 'echo "was \${{ needs.measure.result }}"' }]
`;

/** Puts something in place of what the hub does. */
const replaced = (actions: ActionsStore, changes: Partial<ActionsStore>): void =>
  void Object.assign(actions, changes);

it("a job waits for its environment, then goes to the host whose labels another job gave", async () => {
  const world = await makeWorld({ labels: ["self-hosted", "m1"] });
  const asked: string[] = [];
  const titles: string[] = [];
  replaced(world.hub.actions, {
    enterEnvironment: async (_, environment) => asked.push(environment) > 0,
    nameRun: (_, title) => void titles.push(title),
  });
  const run = await world.push(GUARDED);
  expect(run.conclusion).toBe("success");
  expect(asked).toEqual(["assay-perf"]);
  expect(titles).toEqual(["perf on m1, job 7"]);
  expect(conclusions(run)).toMatchObject({ guard: "success", measure: "success", report: "success" });
  expect(logOf(run, "report")).toContain("was success");
});

it("a job that nobody lets in does not run, nor what needs it", async () => {
  const world = await makeWorld({ labels: ["self-hosted", "m1"] });
  replaced(world.hub.actions, {
    // As when somebody cancels the run in place of letting it in.
    enterEnvironment: async (runId) => {
      world.hub.runs.find(({ id }) => id === runId)?.cancel?.();
      return false;
    },
  });
  const run = await world.push(GUARDED);
  expect(run.conclusion).toBe("cancelled");
  expect(Object.values(conclusions(run)).every((each) => each === "cancelled")).toBe(true);
  expect(run.jobs.map(({ log }) => log).join("")).not.toContain("measured");
});
