/** Actions of GitHub that the runner does itself, since it fetches no code from anywhere. */
import type { LiveStep } from "../live-step.ts";
import { downloadArtifact, uploadArtifact } from "./artifacts.ts";
import type { Builtin } from "./builtin.ts";
import { BuiltinInputs } from "./builtin.ts";
import { checkout } from "./checkout.ts";
import { setupNode } from "./setup-node.ts";

const BUILTINS = new Map<string, Builtin>(
  [checkout, setupNode, uploadArtifact, downloadArtifact].map((builtin) => [builtin.name, builtin]),
);

/** Does what a `uses:` of another repository asks for, or says that it cannot. */
export async function runBuiltin(
  live: LiveStep,
  uses: string,
  given: ReadonlyMap<string, string>,
): Promise<boolean> {
  const [name = "", version = ""] = uses.split("@");
  const builtin = BUILTINS.get(name.toLowerCase());
  if (builtin === undefined) {
    throw new Error(`cannot run here: ${uses} (this runner has only ${[...BUILTINS.keys()].join(", ")})`);
  }
  if (version !== builtin.sha && version !== builtin.version) {
    live.job.log.warning(
      `the rehearsal runner does what ${builtin.version} of ${name} does; '${version}' may differ`,
    );
  }
  await builtin.run(live, new BuiltinInputs(builtin, given));
  return true;
}
