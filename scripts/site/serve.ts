// npm run site [-- --port 4173]: the site on this machine, with the synthetic round of the code benchmark behind its
// banner; it is made again whenever a source changes.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { preview } from "vite";
import { endUsage } from "../benchmarks/end-usage.ts";
import { REPOSITORY } from "../benchmarks/root.ts";

const OUT = join(REPOSITORY, "site/dist");
/** What pages are made from. */
const SOURCES = ["benchmarks", "data", "site", "src", "METHODOLOGY.md"];
/** Editors write a file in several steps. */
const SETTLE_MS = 200;

const program = new Command("site")
  .allowExcessArguments(false)
  .exitOverride(endUsage)
  .description(
    "Serves the site on this machine, with invented results of the code benchmark, and keeps it current.",
  )
  .option("--port <n>", "the port on 127.0.0.1", portOf, 4173)
  .option("--results-only", "without the synthetic round: only what is committed");
const { port, resultsOnly } = program.parse().opts<{ port: number; resultsOnly?: boolean }>();

if (!(await build())) process.exit(1);
const server = await preview({
  configFile: false,
  root: REPOSITORY,
  appType: "mpa",
  logLevel: "warn",
  build: { outDir: OUT },
  preview: { host: "127.0.0.1", port, strictPort: true },
});
console.log(`http://127.0.0.1:${port}/   Ctrl-C ends it`);

let waiting: NodeJS.Timeout | undefined;
let building = false;
for (const source of SOURCES)
  watch(join(REPOSITORY, source), { recursive: true }, (_, name) => {
    // What is made here, and what runs leave behind, is no source.
    if (
      name?.startsWith("dist") === true ||
      name?.startsWith("shots") === true ||
      name?.startsWith(".runs") === true
    )
      return;
    clearTimeout(waiting);
    waiting = setTimeout(rebuild, SETTLE_MS);
  });

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    void server.close().finally(() => process.exit(0));
  });

async function rebuild(): Promise<void> {
  if (building) {
    waiting = setTimeout(rebuild, SETTLE_MS);
    return;
  }
  building = true;
  await build();
  building = false;
}

/** In a process of its own: modules that changed are loaded anew. False when it was not made; what stood stays. */
function build(): Promise<boolean> {
  const words = [
    "--import",
    "tsx",
    "scripts/site/build.ts",
    ...(resultsOnly === true ? [] : ["--synthetic"]),
  ];
  const child = spawn(process.execPath, words, { cwd: REPOSITORY, stdio: "inherit" });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

function portOf(text: string): number {
  const value = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || value < 1 || value > 65_535)
    throw new InvalidArgumentError("a port from 1 to 65535");
  return value;
}
