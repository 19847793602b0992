import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { REPOSITORY } from "../../../jobs/temp-suite.ts";

it("is small enough for a page of 150 kB, and brings neither a schema library nor anything of Node", async () => {
  const folder = "./src/lib/code/aggregate";
  const entry = ["view", "index-data", "drawer", "ranks", "selection"]
    .map((name) => `export * from "${folder}/${name}.ts";`)
    .join("\n");
  const bundle = await rolldown({
    cwd: REPOSITORY,
    input: "page",
    platform: "browser",
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === "page" ? `${REPOSITORY}/page.ts` : null),
        load: (id) => (id === `${REPOSITORY}/page.ts` ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ minify: true });
  const [chunk] = output;
  expect(output).toHaveLength(1);
  expect(chunk.imports).toEqual([]);
  expect(chunk.moduleIds.filter((id) => id.includes("node_modules"))).toEqual([]);
  expect(gzipSync(chunk.code).length).toBeLessThan(20_000);
});
