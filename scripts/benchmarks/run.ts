// npm run bench:run -- --suite <id> --model <provider/model>
// The door: refuses in CI before anything else is even loaded. No option and no variable changes that.
import type { Finding } from "../../src/lib/findings.ts";

const ci = process.env.CI;
if (ci !== undefined && ci !== "") {
  const finding: Finding = {
    code: "run-refused-in-ci",
    severity: "error",
    message: "bench:run does not run where CI is set: a model's answers are made on a maintainer's machine.",
    hint: "Workflows recompute committed results (npm run bench:validate). On your own machine, unset CI.",
  };
  const { printFindings } = await import("../../src/io/terminal.ts");
  printFindings([finding]);
  process.exitCode = 1;
} else {
  // Whoever reads along may go away (`| head`, a closed window): a run that is paid for goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const { runCommand } = await import("./run-command.ts");
  process.exitCode = await runCommand(process.argv.slice(2));
}
