import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";
import { TRANSPORT_CODES } from "../../src/lib/run/call.ts";
import { DEFAULT_BUDGET } from "../../src/lib/sheet/budget.ts";
import { STEP_IDS } from "../../src/lib/verify/steps.ts";

/*
 * Every code that a finding can have is explained in docs/findings.md, and nothing else is.
 *
 * The codes are read out of the parsed source of everything that ships, not out of a list that somebody would have to
 * keep. A string literal is a code when it stands
 *   1. as the value of a key `code` in an object literal, also inside `a ? b : c`, `a ?? b` and `as`;
 *   2. as the argument for a parameter called `code`: of a function of the same file or imported from one of ours, of
 *      a method of ours (`report.error("result-path", …)`) or of a constructor (`new XlsxFault("xlsx-bad-zip", …)`);
 *   3. anywhere else, when its first word is the first word of a code found by 1 or 2: tuples, constants, maps.
 * Objects handed to the schema checks (`parseWithSchema(bytes, schema, { code: "recipe" })`) name a first word instead;
 * it is combined with every ending that src/lib/strict-json/schema.ts appends to it.
 * Any other code that is put together while running must be listed in BUILT, with all that it can become. What looks
 * like a code and is none must be listed in OTHERS. An entry of either list that the source no longer has is an error.
 */

const root = join(import.meta.dirname, "../..");
const FOLDERS = ["src", "scripts", "bot", "actions"];
/** Samples of reports, and generators of members whose ids read like codes: nothing in them raises a finding. */
const RAISE_NOTHING = /^scripts\/(?:dev|suites)\//;
const SCHEMA_FILE = "src/lib/strict-json/schema.ts";
/** Functions whose `code` is the first word of codes. */
const SCHEMA_CHECKS = new Set(["parseWithSchema", "parseLocated", "checkAgainst"]);

/** Codes with a part that is decided while running: their text in the source, and what they can become. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  // One code for each budget that an execution can use up.
  "recipe-budget-${resource}": Object.keys(DEFAULT_BUDGET).map((resource) => `recipe-budget-${resource}`),
  // One code for each way in which a call can fail to bring an answer.
  "verify-${id}": STEP_IDS.map((id) => `verify-${id}`),
  "run-transport-${code}": TRANSPORT_CODES.map((code) => `run-transport-${code}`),
};

const TRANSPORT = "how a call failed; a finding about it has the code run-transport-…";
const REASON = "why a member failed or was skipped: `reason.code` of a result document, not a finding";
const JOURNAL = "a kind of record in a run's journal";
/** What stands where codes stand, or reads like one, and is no finding's code. */
const OTHERS: Readonly<Record<string, string>> = {
  "body-too-large": TRANSPORT,
  connection: TRANSPORT,
  "http-status": TRANSPORT,
  timeout: TRANSPORT,
  "call-cap": REASON,
  "prompt-too-large": REASON,
  "workbook-not-staged": REASON,
  "run-started": JOURNAL,
  "run-resumed": JOURNAL,
  "run-finished": JOURNAL,
  "run-reported": JOURNAL,
  "verify-job": "the name of a verb of bench",
  "bank-workbook": "a kind of file in a vault: `files[].kind` of vault.lock.json",
  "task-speed": "the name of a formula",
  "defect-points": "the name of a formula",
  "file-mode": "the id of a rule of pull requests, whose finding is pr-file-mode",
};

const CODE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** A template that can become a code: words, dashes and inserted parts, no spaces. */
const BUILT_CODE = /^(?:[a-z0-9-]|\$\{[^{}]+\})+$/;

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };
interface Source {
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  /** Position of the parameter `code`, by the name under which the function is called in this file. */
  readonly takers: Map<string, number>;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
const nodeAt = (node: Node | null, key: string): Node | null => {
  const value = node?.[key];
  return isNode(value) ? value : null;
};
const nodesAt = (node: Node | null, key: string): Node[] => {
  const value = node?.[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
};
const nameOf = (node: Node | null): string | null => (typeof node?.name === "string" ? node.name : null);

function* walk(node: Node, parent: Node | null = null): Generator<[Node, Node | null]> {
  yield [node, parent];
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* walk(child, node);
}

function readSources(): Map<string, Source> {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
      .filter((path) => !RAISE_NOTHING.test(path)),
  );
  return new Map(
    paths.sort().map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const program = parseAst(text, { lang: "ts" }, path) as unknown as Node;
      return [path, { path, text, program, takers: new Map() }];
    }),
  );
}

/** Where `code` stands among a function's parameters; -1 when it has none. */
const codeParameter = (made: Node | null): number =>
  nodesAt(made, "params").findIndex(
    (parameter) =>
      nameOf(parameter.type === "AssignmentPattern" ? nodeAt(parameter, "left") : parameter) === "code",
  );

/** Finds the functions that take a code; gives the methods and classes among them, which other files call by name. */
function findTakers(sources: ReadonlyMap<string, Source>): Map<string, number> {
  const shared = new Map<string, number>();
  for (const { program, takers } of sources.values())
    for (const [node] of walk(program)) {
      if (node.type === "FunctionDeclaration") note(takers, nameOf(nodeAt(node, "id")), node);
      else if (node.type === "VariableDeclarator")
        note(takers, nameOf(nodeAt(node, "id")), nodeAt(node, "init"));
      else if (node.type === "MethodDefinition")
        note(shared, nameOf(nodeAt(node, "key")), nodeAt(node, "value"));
      else if (node.type === "ClassDeclaration")
        for (const member of nodesAt(nodeAt(node, "body"), "body"))
          if (member.kind === "constructor")
            note(shared, nameOf(nodeAt(node, "id")), nodeAt(member, "value"));
    }
  for (const source of sources.values())
    for (const declaration of nodesAt(source.program, "body")) {
      const from = nodeAt(declaration, "source")?.value;
      if (declaration.type !== "ImportDeclaration" || typeof from !== "string" || !from.startsWith("."))
        continue;
      const exporter = sources.get(join(dirname(source.path), from).replaceAll("\\", "/"));
      for (const specifier of nodesAt(declaration, "specifiers")) {
        const at = exporter?.takers.get(nameOf(nodeAt(specifier, "imported")) ?? "");
        const local = nameOf(nodeAt(specifier, "local"));
        if (at !== undefined && local !== null) source.takers.set(local, at);
      }
    }
  return shared;
}

function note(takers: Map<string, number>, name: string | null, made: Node | null): void {
  const at = codeParameter(made);
  if (at >= 0 && name !== null && name !== "constructor") takers.set(name, at);
}

interface Extracted {
  readonly codes: Map<string, string>;
  readonly firstWords: Map<string, string>;
  readonly endings: Set<string>;
  readonly built: Map<string, string>;
}

/** Rules 1 and 2. The values of the maps say where each was found. */
function extract(sources: ReadonlyMap<string, Source>): Extracted {
  const found: Extracted = { codes: new Map(), firstWords: new Map(), endings: new Set(), built: new Map() };
  const shared = findTakers(sources);
  for (const source of sources.values()) {
    const optionsOfChecks = new Set<Node>();
    const take = (value: Node | null, into: Map<string, string>): void => {
      if (value?.type === "Literal" && typeof value.value === "string") {
        if (CODE.test(value.value)) into.set(value.value, placeOf(source, value));
      } else if (value?.type === "TemplateLiteral") takeTemplate(source, value, found);
      else if (value !== null && /^(?:Conditional|Logical|TSAs|TSSatisfies)Expression$/.test(value.type))
        for (const part of ["consequent", "alternate", "left", "right", "expression"])
          take(nodeAt(value, part), into);
    };
    for (const [node, parent] of walk(source.program)) {
      if (isCodeKey(node) && parent?.type === "ObjectExpression" && !optionsOfChecks.has(parent))
        take(nodeAt(node, "value"), found.codes);
      const callee = nodeAt(node, "callee");
      if (callee === null) continue;
      const given = nodesAt(node, "arguments");
      const isMember = callee.type === "MemberExpression";
      const name = nameOf(isMember ? nodeAt(callee, "property") : callee) ?? "";
      if (SCHEMA_CHECKS.has(name)) {
        const options = given.at(-1) ?? null;
        const properties = nodesAt(options, "properties");
        if (options !== null) optionsOfChecks.add(options);
        take(
          properties.length === 0 ? options : nodeAt(properties.find(isCodeKey) ?? null, "value"),
          found.firstWords,
        );
      } else {
        const at = isMember || node.type === "NewExpression" ? shared.get(name) : source.takers.get(name);
        if (at !== undefined) take(given[at] ?? null, found.codes);
      }
    }
  }
  return found;
}

const isCodeKey = (node: Node): boolean =>
  node.type === "Property" && node.shorthand !== true && nameOf(nodeAt(node, "key")) === "code";

function takeTemplate(source: Source, template: Node, found: Extracted): void {
  const text = source.text.slice(template.start + 1, Number(template.end) - 1);
  const ending = /^\$\{code\}-([a-z0-9-]+)$/.exec(text)?.[1];
  if (source.path === SCHEMA_FILE && ending !== undefined) found.endings.add(ending);
  else if (BUILT_CODE.test(text)) found.built.set(text, placeOf(source, template));
}

/** Rule 3: literals anywhere that begin like a known code. */
function findAlike(sources: ReadonlyMap<string, Source>, families: ReadonlySet<string>): Map<string, string> {
  const alike = new Map<string, string>();
  for (const source of sources.values())
    for (const [node] of walk(source.program)) {
      const { value } = node;
      if (node.type !== "Literal" || typeof value !== "string" || !CODE.test(value)) continue;
      if (value.includes("-") && families.has(familyOf(value))) alike.set(value, placeOf(source, node));
    }
  return alike;
}

const familyOf = (code: string): string => code.slice(0, code.indexOf("-"));

const placeOf = ({ path, text }: Source, node: Node): string =>
  `${path}:${text.slice(0, node.start).split("\n").length}`;

interface Documented {
  readonly anchor: string;
  readonly code: string;
}

const page = readFileSync(join(root, "docs/findings.md"), "utf8");
const documented: Documented[] = [...page.matchAll(/<a id="([^"]*)"><\/a>`([^`]*)`/g)].map(
  ([, anchor = "", code = ""]) => ({ anchor, code }),
);

const sources = readSources();
const extracted = extract(sources);
const others = new Set(Object.keys(OTHERS));
/** Every code with a place in the source. */
const raised = new Map<string, string>();
for (const [code, place] of extracted.codes) if (!others.has(code)) raised.set(code, place);
for (const [text, codes] of Object.entries(BUILT))
  for (const code of codes) raised.set(code, extracted.built.get(text) ?? "BUILT");
for (const [first, place] of extracted.firstWords)
  for (const ending of extracted.endings) raised.set(`${first}-${ending}`, place);
const alike = findAlike(sources, new Set([...raised.keys()].map(familyOf)));
for (const [code, place] of alike)
  if (!others.has(code) && !extracted.firstWords.has(code)) raised.set(code, place);

describe("docs/findings.md", () => {
  it("explains every code that can be raised", () => {
    const known = new Set(documented.map(({ code }) => code));
    const missing = [...raised]
      .filter(([code]) => !known.has(code))
      .map(([code, place]) => `${code} (${place})`);
    expect(missing.sort(), "raised, not explained in docs/findings.md").toEqual([]);
  });

  it("explains no code that nothing raises", () => {
    const stale = documented.map(({ code }) => code).filter((code) => !raised.has(code));
    expect(stale, "explained in docs/findings.md, raised nowhere").toEqual([]);
  });

  it("gives each code one anchor of its own name", () => {
    for (const { anchor, code } of documented) expect(anchor).toBe(code);
    const seen = new Set<string>();
    const twice = documented.map(({ code }) => code).filter((code) => seen.has(code) || !seen.add(code));
    expect(twice).toEqual([]);
    // A heading has an anchor too, made of its words; it would take a link meant for a code.
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    expect(headings.filter((heading) => seen.has(heading))).toEqual([]);
    const anchors = new Set([...seen, ...headings]);
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(links.filter((target) => !anchors.has(target))).toEqual([]);
  });

  it("says for each what it means, an example and the fix", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| <a id="));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const cells = row.split("|").slice(1, -1);
      expect(cells, row).toHaveLength(4);
      expect(
        cells.filter((cell) => cell.trim() === ""),
        row,
      ).toEqual([]);
    }
  });
});

describe("the reading of the source", () => {
  it("finds codes by each of its rules", () => {
    expect(extracted.codes.has("json-syntax"), "a key `code`").toBe(true);
    expect(extracted.codes.has("recipe-split"), "an argument of a function").toBe(true);
    expect(extracted.codes.has("result-path"), "an argument of a method").toBe(true);
    expect(extracted.codes.has("xlsx-bad-zip"), "an argument of a constructor").toBe(true);
    expect(extracted.codes.has("pr-same-evidence"), "a branch of a choice").toBe(true);
    expect(alike.has("file-missing"), "a literal that begins like a code").toBe(true);
    expect(raised.has("recipe-unknown-key"), "a first word with an ending").toBe(true);
  });

  it("meets no code that is put together in a way it does not know", () => {
    const unknown = [...extracted.built].filter(([text]) => !Object.hasOwn(BUILT, text));
    expect(unknown, "list in BUILT what these templates can become").toEqual([]);
  });

  it("has no exemption that the source no longer needs", () => {
    expect(Object.keys(BUILT).filter((text) => !extracted.built.has(text))).toEqual([]);
    expect([...others].filter((word) => !extracted.codes.has(word) && !alike.has(word))).toEqual([]);
  });
});
