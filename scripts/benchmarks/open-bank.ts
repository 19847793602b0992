import { printFindings } from "../../src/io/terminal.ts";

/**
 * `--open-bank` and `--no-open-bank` as typed; absent, the repository's policy decides. Where CI is set the policy cannot
 * be widened: what a workflow prints, everybody reads.
 */
export function wishedOpenBank(
  typed: boolean | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): { readonly openBank?: boolean } {
  if (typed === undefined) return {};
  const workflow = env.CI !== undefined && env.CI !== "";
  if (!typed || !workflow) return { openBank: typed };
  printFindings([
    {
      code: "bank-open-in-ci",
      severity: "warning",
      message: "--open-bank has no effect where CI is set: benchmarks/bank/policy.json decides there.",
    },
  ]);
  return {};
}
