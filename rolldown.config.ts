import { defineConfig, type RolldownOptions } from "rolldown";

/** The actions whose bundles are committed. `main` of `actions/<name>/action.yml` is `dist/<name>.js`. */
export const ACTIONS = ["validate-results", "recompute-scores", "feed"] as const;

/** Packages that only define things when they are loaded: what is not used may be left out. */
const PURE = /node_modules\/(?:@actions|undici|tunnel|zod|@noble|canonicalize)\//;

/** One output for all: what two actions share is in a chunk that both load. The same sources give the same bytes. */
export const BUNDLES = {
  input: Object.fromEntries(ACTIONS.map((name) => [name, `actions/${name}/main.ts`])),
  platform: "node",
  treeshake: { moduleSideEffects: (id: string) => !PURE.test(id) },
  transform: { target: "node20" },
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

export default defineConfig(BUNDLES);
