import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  type DeliveredFile,
  type Measurement,
  type MeasureOptions,
  measureDeliverable,
  textsToParse,
} from "../../lib/code/quality/measure.ts";
import type { GrammarName, SyntaxFacts } from "../../lib/code/quality/syntax.ts";
import type { ParseRequest } from "./grammar-process.ts";

/** Far longer than any real source file takes; the count of the parser's steps normally ends it first. */
const PATIENCE_MS = 30_000;

const PACKAGE = "@repomix/tree-sitter-wasms";
const require = createRequire(import.meta.url);
const grammarFolder = (): string => dirname(require.resolve(`${PACKAGE}/out/tree-sitter-c.wasm`));

/** The package that the grammars come from, with its version: part of what makes a measurement repeatable. */
export async function readGrammarVersion(): Promise<string> {
  const file = join(grammarFolder(), "..", "package.json");
  const { version } = JSON.parse(await readFile(file, "utf8")) as { version: string };
  return `${PACKAGE} ${version}`;
}

/** Reads texts with their grammars, in a process that is replaced when a text breaks it. */
export interface SyntaxReader {
  /** Null when the parser gave up, broke, or took longer than half a minute. */
  read(text: string, grammar: GrammarName): Promise<SyntaxFacts | null>;
  close(): Promise<void>;
}

/** Nothing is compiled for this and nothing downloaded: the grammars are WebAssembly from a package. One text at a time. */
export function openSyntaxReader(patience = PATIENCE_MS): SyntaxReader {
  let child: Promise<ChildProcess> | null = null;
  const close = async (): Promise<void> => {
    const ended = child;
    child = null;
    (await ended)?.kill("SIGKILL");
  };
  return {
    close,
    async read(text, grammar) {
      child ??= startParser();
      const file = join(grammarFolder(), `tree-sitter-${grammar}.wasm`);
      const facts = await ask(await child, { text, grammar, file }, patience);
      if (facts !== "broken") return facts;
      await close();
      return null;
    },
  };
}

/** Starts the process and waits until it listens. Its source is TypeScript. @throws when it cannot start: that is our fault. */
function startParser(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL("./grammar-process.ts", import.meta.url)), [], {
    execArgv: ["--import", pathToFileURL(require.resolve("tsx")).href],
    serialization: "advanced",
    // The parser's cry when it breaks is not for the person at the terminal: the file's finding is.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return new Promise((resolve, reject) => {
    const failed = (): void => reject(new Error("the parser's process did not start"));
    child.once("error", failed).once("exit", failed);
    child.once("message", () => {
      child.off("error", failed).off("exit", failed);
      // A text may end it while nobody asks, or while it is asked: `ask` sees the latter.
      child.on("error", () => undefined);
      // Idle, it keeps no program alive.
      child.unref();
      child.channel?.unref();
      resolve(child);
    });
  });
}

function ask(
  child: ChildProcess,
  request: ParseRequest,
  patience: number,
): Promise<SyntaxFacts | null | "broken"> {
  return new Promise((resolve) => {
    const end = (answer: SyntaxFacts | null | "broken"): void => {
      clearTimeout(timer);
      child.off("message", received).off("exit", broken);
      resolve(answer);
    };
    const received = (answer: unknown): void => end(answer as SyntaxFacts | null);
    const broken = (): void => end("broken");
    // It also keeps the program alive while there is an answer to come.
    const timer = setTimeout(broken, patience);
    child.on("message", received).on("exit", broken);
    child.send(request, (error) => {
      if (error !== null) broken();
    });
  });
}

/** Measures a deliverable: has its texts parsed, then counts. */
export async function runMeasurement(
  delivered: readonly DeliveredFile[],
  options: Omit<MeasureOptions, "syntax">,
  reader: SyntaxReader,
): Promise<Measurement> {
  const syntax = new Map<string, SyntaxFacts | null>();
  for (const { path, text, grammar } of textsToParse(delivered, options.language)) {
    syntax.set(path, await reader.read(text, grammar));
  }
  return measureDeliverable(delivered, { ...options, syntax });
}
