// Runs as a process of its own: hostile text can make a grammar's own code run for minutes, or break the parser's memory.
import { readFile } from "node:fs/promises";
import { Language, Parser } from "web-tree-sitter";
import { type GrammarName, readSyntax, type SyntaxFacts } from "../../lib/code/quality/syntax.ts";

/** What the process is asked, one at a time. */
export interface ParseRequest {
  readonly text: string;
  readonly grammar: GrammarName;
  /** The grammar's file. */
  readonly file: string;
}

/** A parser reports about every hundred steps; after so many reports it gives up, on every machine at the same place. */
const MAX_REPORTS = 100_000;

const parsers = new Map<GrammarName, Parser>();

async function parserFor({ grammar, file }: ParseRequest): Promise<Parser> {
  const known = parsers.get(grammar);
  if (known !== undefined) return known;
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(new Uint8Array(await readFile(file))));
  parsers.set(grammar, parser);
  return parser;
}

async function answer(request: ParseRequest): Promise<SyntaxFacts | null> {
  const parser = await parserFor(request);
  let reports = 0;
  // Its type says that the callback gives nothing; what it gives decides whether the parser stops.
  const progressCallback = (): boolean => ++reports > MAX_REPORTS;
  parser.reset();
  const tree = parser.parse(request.text, null, { progressCallback });
  if (tree === null) return null;
  const cursor = tree.walk();
  const facts = readSyntax(request.text, cursor);
  cursor.delete();
  tree.delete();
  return facts;
}

// What comes before this, loading the packages, is not the text's fault: the clock starts after it.
process.send?.("ready");
process.on("message", async (request: ParseRequest) => {
  process.send?.(await answer(request));
});
