/** What the stage and bubblewrap say on the status pipe, one line after the other. */
export interface SandboxStatus {
  readonly ready: boolean;
  /** The first process of the sandbox's pid namespace, as the host numbers it. */
  readonly firstPid: number | null;
  /** Exit code of the guest as bubblewrap reports it; null when it never came to start it, or was killed. */
  readonly exitCode: number | null;
  /** The script has seen the end of everything in the sandbox. */
  readonly done: boolean;
  /** Processor time of all that ran, as the shell counts it; null before the end. */
  readonly cpuSeconds: number | null;
}

const CLOCK = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/;

function parseTimes(lines: readonly string[]): number | null {
  // `times` prints the shell's own line, then that of the processes it has waited for.
  const [, children] = lines.map((line) => CLOCK.exec(line)).filter((match) => match !== null);
  if (children === undefined) return null;
  const [, userMinutes, user, systemMinutes, system] = children.map(Number);
  return 60 * ((userMinutes ?? 0) + (systemMinutes ?? 0)) + (user ?? 0) + (system ?? 0);
}

function parseNumber(lines: readonly string[], key: string): number | null {
  for (const line of lines) {
    const [, digits] = new RegExp(`^\\{.*"${key}": *(\\d+)\\b`).exec(line) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  return null;
}

/** Reads everything said so far; a line that has not ended yet is not read. */
export function parseStatus(text: string): SandboxStatus {
  const lines = text.split("\n").slice(0, -1);
  return {
    ready: lines.includes("ready"),
    firstPid: parseNumber(lines, "child-pid"),
    exitCode: parseNumber(lines, "exit-code"),
    done: lines.includes("end"),
    cpuSeconds: parseTimes(lines),
  };
}
