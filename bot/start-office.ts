import { Probot, ProbotOctokit } from "probot";
import { GITHUB_TIMING, requestPolicy, type Timing } from "../src/io/github/policy.ts";
import type { Log } from "./context.ts";
import { createLog, type LogLevel } from "./log.ts";
import { Office } from "./office.ts";

/** The app without a server: what the server and a single pass have in common. */

export interface OfficeSettings {
  readonly appId: number | string;
  /** PEM, PKCS#1 or PKCS#8. */
  readonly privateKey: string;
  /** REST base of the host; default GitHub's own. */
  readonly baseUrl?: string;
  readonly logLevel?: LogLevel;
  /** Where lines of the log go; default standard error. */
  readonly logTo?: (line: string) => void;
  /** Milliseconds since 1970; default the system's clock. */
  readonly now?: () => number;
  /** Departures from what GitHub asks for; a hub on loopback needs no pauses (`LOCAL_TIMING`). */
  readonly timing?: Partial<Timing>;
}

export interface StartedOffice {
  readonly probot: Probot;
  readonly office: Office;
  readonly log: Log;
}

/** @throws when the key is none. */
export async function startOffice(settings: OfficeSettings, webhookSecret?: string): Promise<StartedOffice> {
  const timing: Timing = { ...GITHUB_TIMING, ...settings.timing };
  const now = settings.now ?? Date.now;
  const policy = requestPolicy(timing);
  // Probot's own retry and throttling would send a POST four times when its answer is lost; `policy` replaces both.
  // As a function, because Probot passes throttling options of its own, which would win over plain defaults.
  const Client = ProbotOctokit.plugin(policy as (octokit: object) => object).defaults((given: object) => ({
    ...given,
    retry: { enabled: false },
    throttle: { enabled: false },
  })) as typeof ProbotOctokit;
  const probot = new Probot({
    appId: settings.appId,
    privateKey: settings.privateKey,
    ...(webhookSecret === undefined ? {} : { secret: webhookSecret }),
    Octokit: Client,
    // Its lines hold whole answers and payloads. What fails is thrown as well, and goes into our own log.
    logLevel: "fatal",
    ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl.replace(/\/$/, "") }),
  });
  await probot.ready();
  const write = settings.logTo ?? ((line: string) => void process.stderr.write(line));
  const log = createLog(settings.logLevel ?? "warn", write, now);
  return { probot, log, office: new Office({ probot, appId: Number(settings.appId), timing, log, now }) };
}
