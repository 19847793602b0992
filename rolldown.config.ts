import { readFileSync } from "node:fs";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";

/** The actions whose bundles are committed. `main` of `actions/<name>/action.yml` is `dist/<name>.js`. */
export const ACTIONS = [
  "validate-results",
  "recompute-scores",
  "feed",
  "guard-job",
  "perf",
  "verify-defect",
  "run-entry",
] as const;

/** Packages that only define things when they are loaded: what is not used may be left out. */
const PURE = /node_modules\/(?:@actions|undici|tunnel|zod|@noble|canonicalize|preact|d3-[a-z]+)\//;

/** The program that reads OpenCode's database; its loader looks for it beside itself, and is in a chunk of its own. */
const database: Plugin = {
  name: "database",
  generateBundle() {
    const source = readFileSync("node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm");
    this.emitFile({ type: "asset", fileName: "chunks/node-sqlite3-wasm.wasm", source });
  },
};

/** One output for all: what two actions share is in a chunk that both load. The same sources give the same bytes. */
export const BUNDLES = {
  input: Object.fromEntries(ACTIONS.map((name) => [name, `actions/${name}/main.ts`])),
  platform: "node",
  treeshake: { moduleSideEffects: (id: string) => !PURE.test(id) },
  transform: { target: "node20" },
  plugins: [database],
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    // White space and dead branches go; names stay, so that a stack trace in a job's log can be read.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    cleanDir: true,
  },
} as const satisfies RolldownOptions;

/** Scripts of the site's pages, and its style sheets in the order in which they are put together. */
export const CLIENTS = ["page", "code"] as const;
const STYLES = ["theme", "base", "code", "sections", "sheet", "chart"] as const;

const styles: Plugin = {
  name: "styles",
  generateBundle() {
    const text = STYLES.map((name) => readFileSync(`site/style/${name}.css`, "utf8")).join("\n");
    this.emitFile({ type: "asset", fileName: "site.css", source: text });
    this.emitFile({ type: "asset", fileName: "icon.svg", source: readFileSync("site/style/icon.svg") });
  },
};

/** What browsers load. Committed as well, so that pages can be made where nothing is installed. */
export const SITE = {
  input: Object.fromEntries(
    CLIENTS.map((name) => [name, `site/client/${name}.ts${name === "code" ? "x" : ""}`]),
  ),
  platform: "browser",
  treeshake: { moduleSideEffects: (id: string) => !PURE.test(id) },
  transform: { target: "es2022" },
  plugins: [styles],
  output: {
    dir: "dist/site",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-shared.js",
    minify: true,
    cleanDir: true,
  },
} as const satisfies RolldownOptions;

export default defineConfig([BUNDLES, SITE]);
