import type { CommanderError } from "commander";
import type { Finding } from "../../src/lib/findings.ts";

/** Ends a command that was asked in a way it does not know: 2, so that it is never taken for a verdict (1). Help ends with 0. */
export const endUsage = (error: CommanderError): never => process.exit(error.exitCode === 0 ? 0 : 2);

/** The exit code of a refused run: 2 where nothing but the options is wrong, else 1. */
export const refusalCode = (findings: readonly Finding[]): number =>
  findings.every(({ code }) => code === "run-option") ? 2 : 1;
