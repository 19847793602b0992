/** Workflow commands: what a step says to the runner by printing it. */

export type AnnotationLevel = "error" | "warning" | "notice";

export interface Annotation {
  readonly level: AnnotationLevel;
  readonly message: string;
  readonly title?: string;
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly column?: number;
  readonly endColumn?: number;
}

/** What commands do. */
export interface CommandEffects {
  /** One line of the log. */
  write(line: string): void;
  annotate(annotation: Annotation): void;
  mask(secret: string): void;
  setOutput(name: string, value: string): void;
  saveState(name: string, value: string): void;
  /** A command that is refused; the step fails. */
  refuse(message: string): void;
}

interface Command {
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly message: string;
}

const KNOWN = new Set([
  ...["error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "stop-commands", "echo"],
  ...[
    "set-output",
    "save-state",
    "set-env",
    "add-path",
    "add-matcher",
    "remove-matcher",
    "internal-set-repo-path",
  ],
]);

/** Reads one line as a workflow command (`::name key=value::message` or the older `##[name]message`). */
export function parseCommand(line: string): Command | null {
  const text = line.trimStart();
  const modern = /^::([^\s:]+)(?:\s+(.*?))?::(.*)$/s.exec(text);
  const old = modern ? null : /^##\[([^\s\]]+)(?:\s+([^\]]*))?\](.*)$/s.exec(text);
  const found = modern ?? old;
  if (!found) return null;
  const properties = new Map<string, string>();
  for (const part of (found[2] ?? "").split(modern ? "," : ";")) {
    const equals = part.indexOf("=");
    if (equals > 0) {
      properties.set(part.slice(0, equals).trim(), unescapeProperty(part.slice(equals + 1)));
    }
  }
  return { name: (found[1] ?? "").toLowerCase(), properties, message: unescapeData(found[3] ?? "") };
}

function unescapeData(text: string): string {
  return text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
}

function unescapeProperty(text: string): string {
  return text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");
}

/** Passes a step's output on, carrying out the commands in it. One per step: `stop-commands` ends with the step. */
export class CommandReader {
  readonly #effects: CommandEffects;
  /** Commands are plain text until this token is printed. */
  #stopped: string | null = null;

  constructor(effects: CommandEffects) {
    this.#effects = effects;
  }

  read(line: string): void {
    if (this.#stopped !== null) {
      if (line.trim() === `::${this.#stopped}::`) this.#stopped = null;
      this.#effects.write(line);
      return;
    }
    const command = parseCommand(line);
    if (command === null || !KNOWN.has(command.name)) this.#effects.write(line);
    else this.#carryOut(command, line);
  }

  #carryOut({ name, properties, message }: Command, line: string): void {
    const effects = this.#effects;
    const property = properties.get("name") ?? "";
    switch (name) {
      case "error":
      case "warning":
      case "notice":
        effects.annotate({ level: name, message, ...place(properties) });
        break;
      case "debug":
        effects.write(`##[debug]${message}`);
        break;
      case "group":
      case "endgroup":
        effects.write(`##[${name}]${message}`);
        break;
      case "add-mask":
        if (message.trim() === "") effects.write("##[warning]Can't add secret mask for empty string");
        else effects.mask(message);
        effects.write("##[add-mask]***");
        break;
      case "stop-commands":
        if (message === "" || KNOWN.has(message.toLowerCase())) {
          effects.refuse(`Invalid stop token '${message}': use one that cannot be guessed`);
        } else this.#stopped = message;
        effects.write(line);
        break;
      case "set-output":
      case "save-state":
        if (property === "") effects.refuse(`Required field 'name' is missing in ##[${name}] command.`);
        else if (name === "set-output") effects.setOutput(property, message);
        else effects.saveState(property, message);
        effects.write(`##[warning]The \`${name}\` command is deprecated; use environment files`);
        break;
      case "set-env":
      case "add-path":
        effects.refuse(`The \`${name}\` command is disabled. Please upgrade to using Environment Files.`);
        break;
      case "echo":
        effects.write(line);
        break;
      default:
        effects.write(`##[warning]${name} is not implemented by the rehearsal runner`);
    }
  }
}

function place(properties: ReadonlyMap<string, string>): Omit<Annotation, "level" | "message"> {
  const numbers = { line: "line", endLine: "endLine", col: "column", endColumn: "endColumn" } as const;
  const result: {
    title?: string;
    file?: string;
    line?: number;
    endLine?: number;
    column?: number;
    endColumn?: number;
  } = {};
  const title = properties.get("title");
  const file = properties.get("file");
  if (title !== undefined) result.title = title;
  if (file !== undefined) result.file = file;
  for (const [key, member] of Object.entries(numbers)) {
    const value = Number(properties.get(key));
    if (properties.has(key) && Number.isInteger(value)) result[member] = value;
  }
  return result;
}
