import { commandHarness } from "../lib/code/harness/command.ts";
import { adapterOf, HARNESS_NAMES } from "../lib/code/harness/registry.ts";
import { textSchema } from "../lib/code/schema/names.ts";
import { whyNoOrigin } from "../lib/egress/policy.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import type { ContestantOrder } from "./run-contestant.ts";

/** How a harness is named on a command line, or by a host's settings. */
export interface HarnessChoice {
  /** One of the known ones, or `command`. */
  readonly harness: string;
  /** With `command`: what `/bin/sh` runs, and how the facts call it. */
  readonly line?: string | undefined;
  readonly name?: string | undefined;
  /** Where it is installed, when not in the system's folders. */
  readonly folder?: string | undefined;
  /** Another origin than the adapter's own; `command` has none of its own. */
  readonly origin?: string | undefined;
}

const refuse = (
  code: string,
  message: string,
  more: Partial<Finding>,
): { ok: false; findings: Finding[] } => ({
  ok: false,
  findings: [{ code, severity: "error", message, ...more }],
});

/** The harness with its adapter, and the API's key out of the host's environment. */
export function chooseHarness(
  choice: HarnessChoice,
  env: Readonly<Record<string, string | undefined>>,
): Outcome<Pick<ContestantOrder, "harness" | "key">> {
  const { harness, line = "", origin } = choice;
  const known = adapterOf(harness);
  if (known === null && harness !== "command")
    return refuse("code-run-harness", "There is no such harness.", {
      expected: [...HARNESS_NAMES, "command"].join(", "),
      actual: harness.slice(0, 100),
    });
  if (known === null && (line === "" || origin === undefined))
    return refuse("code-run-harness", "A command as a harness needs its command line and its API.", {
      expected: "--harness command --harness-command <line> --api <origin>",
    });
  if (!textSchema(60).safeParse(choice.name ?? harness).success)
    return refuse("code-run-harness", "The harness's name is no text of at most 60 characters.", {});
  const wrong = origin === undefined ? null : whyNoOrigin(origin);
  if (wrong !== null)
    return refuse("code-run-api", `This is no API's origin: ${wrong}.`, {
      expected: "https://api.example.com",
      actual: (origin ?? "").slice(0, 200),
    });
  const own = known ?? commandHarness({ line, origin: origin ?? "" });
  const adapter = origin === undefined ? own : { ...own, api: { ...own.api, origin } };
  const key = env[adapter.keyVariable] ?? "";
  if (!/^[\x21-\x7e]{8,500}$/.test(key))
    return refuse("code-run-key", "The API's key is not in this host's environment, or is none.", {
      expected: `${adapter.keyVariable}: 8 to 500 visible characters`,
      hint: "The proxy adds it to requests; the contestant never sees it.",
    });
  const name = known === null ? (choice.name ?? "command") : harness;
  return {
    ok: true,
    value: { harness: { name, adapter, folder: choice.folder ?? null }, key },
    findings: [],
  };
}
