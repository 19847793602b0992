/** The files a step writes to: `GITHUB_ENV`, `GITHUB_OUTPUT`, `GITHUB_STATE`, `GITHUB_PATH`, `GITHUB_STEP_SUMMARY`. */

/**
 * Reads `name=value` lines and `name<<DELIMITER … DELIMITER` blocks, as GitHub's runner does.
 * @throws Error for a line that is neither, an empty name, or a block without its end.
 */
export function parseEnvFile(text: string): [name: string, value: string][] {
  const entries: [string, string][] = [];
  const lines = text.split(/(?<=\n)/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = withoutEnd(lines[index] ?? "");
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      entries.push([line.slice(0, equals), line.slice(equals + 1)]);
      continue;
    }
    if (heredoc < 0) throw new Error(`Invalid format '${line}'`);
    const name = line.slice(0, heredoc);
    const delimiter = line.slice(heredoc + 2);
    if (name === "" || delimiter === "") {
      throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`);
    }
    let value = "";
    for (index += 1; ; index += 1) {
      const next = lines[index];
      if (next === undefined) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
      if (withoutEnd(next) === delimiter) break;
      value += next;
    }
    entries.push([name, withoutEnd(value)]);
  }
  return entries;
}

/** The lines of `GITHUB_PATH`. */
export function parsePathFile(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== "");
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n$/, "");
}

/** Variables that `GITHUB_ENV` may not set: GitHub refuses the first, and the others come from the runner alone. */
export function refusedVariable(name: string): string | null {
  if (name.toUpperCase() === "NODE_OPTIONS") {
    return "Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.";
  }
  return null;
}
