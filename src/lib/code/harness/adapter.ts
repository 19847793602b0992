import type { EgressApi } from "../../egress/policy.ts";
import type { ReadableHarness } from "../usage/import-usage.ts";

/**
 * What a harness is to Assay: how it is started without a person, where it keeps its logs, and which one API it talks to. An adapter is a
 * file of pure functions; who starts, waits and collects is `src/jobs/run-contestant.ts`. docs/running.md says how one is added.
 */

/** What a harness is told about one run. Paths are inside the sandbox. */
export interface HarnessSession {
  /** As the vendor and the harness's logs call the model. */
  readonly model: string;
  /** Level of effort; `default` where the model has none. */
  readonly effort: string;
  readonly prompt: string;
  /** Folder that the harness works in, which holds brief, contract and scaffold. */
  readonly work: string;
  /** Folder for its settings and logs, its home. */
  readonly home: string;
  /** Where the API is found inside, without a path: the proxy's forwarder. */
  readonly api: string;
}

/** A settings file that lies in the home before the start. */
export interface HarnessFile {
  readonly path: string;
  readonly text: string;
}

export interface HarnessAdapter {
  readonly api: EgressApi;
  /** Variable of the host that holds the API's key. */
  readonly keyVariable: string;
  readonly command: (session: HarnessSession) => readonly [program: string, ...args: string[]];
  /** Variables beside HOME, PATH, TMPDIR and LANG. */
  readonly environment: (session: HarnessSession) => Readonly<Record<string, string>>;
  readonly files: (session: HarnessSession) => readonly HarnessFile[];
  /** Folder below the home where its logs are. */
  readonly logs: string;
  /** How its logs are read; null: told from their content. */
  readonly reader: ReadableHarness | null;
}

/** What stands where a client wants a key: the proxy puts the real one there. */
export const NO_KEY = "the-proxy-adds-the-key";

/** How facts call the program that stands in for a harness in rehearsals. What it wrote is no result. */
export const SCRIPTED_HARNESS = "scripted";

/**
 * The same for every configuration and every task: what differs is the brief. A change of these words changes what is measured, so it belongs
 * in CHANGELOG.md.
 */
export const PROMPT =
  "Read BRIEF.md in this folder and do what it asks. SPEC.md is the contract that your work is judged by. " +
  "Leave the finished files of the deliverable in this folder, under the paths that SPEC.md gives. " +
  "Nobody answers questions; there is no network. You are done when the work is complete.";
