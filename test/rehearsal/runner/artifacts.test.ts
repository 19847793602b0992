import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { artifactFiles, conclusions, logOf, makeWorld, workflow } from "./world.ts";

const UPLOAD = "actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a";
const DOWNLOAD = "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c";

test("uploads files, folders, globs and several paths as the action does", async () => {
  const world = await makeWorld();
  const run = await world.push(
    workflow(`
- run: |
    mkdir -p out/deep/er other .hidden
    echo 1 > out/one.json; echo 2 > out/deep/two.json; echo 3 > out/deep/er/three.txt
    echo 4 > other/four.txt; echo 5 > out/.dot; echo 6 > .hidden/six
    ln -s ../other out/link
- { uses: ${UPLOAD}, with: { name: file, path: out/one.json, retention-days: 3 } }
- { uses: ${UPLOAD}, with: { name: folder, path: out } }
- { uses: ${UPLOAD}, with: { name: absolute, path: "\${{ github.workspace }}/other/" } }
- { uses: ${UPLOAD}, with: { name: glob, path: "out/**/*.json" } }
- { uses: ${UPLOAD}, with: { name: dots, path: out, include-hidden-files: true } }
- id: many
  uses: ${UPLOAD}
  with:
    name: many
    path: |
      out
      # a comment
      other/four.txt
      !out/deep/er
      !out/link
- run: test \${{ steps.many.outputs.artifact-id }} -gt 0; echo "digest \${{ steps.many.outputs.artifact-digest }}"
- { uses: ${UPLOAD}, with: { name: none, path: nothing } }
- { uses: ${UPLOAD}, with: { name: silent, path: nothing, if-no-files-found: ignore } }
- { uses: ${UPLOAD}, with: { name: hidden, path: .hidden } }
`),
  );
  expect(run.conclusion).toBe("success");
  expect(artifactFiles(run, "file")).toEqual({ "one.json": "1\n" });
  expect(artifactFiles(run, "folder")).toEqual({
    "one.json": "1\n",
    "deep/two.json": "2\n",
    "deep/er/three.txt": "3\n",
    "link/four.txt": "4\n",
  });
  expect(artifactFiles(run, "absolute")).toEqual({ "four.txt": "4\n" });
  expect(artifactFiles(run, "glob")).toEqual({ "one.json": "1\n", "deep/two.json": "2\n" });
  expect(Object.keys(artifactFiles(run, "dots"))).toContain(".dot");
  expect(artifactFiles(run, "many")).toEqual({
    "out/one.json": "1\n",
    "out/deep/two.json": "2\n",
    "other/four.txt": "4\n",
  });
  expect(run.artifacts.map((artifact) => artifact.name)).not.toContain("hidden");
  const log = logOf(run, "main");
  expect(log).toContain("retention-days: 3 (the rehearsal keeps artifacts while it runs)");
  expect(
    log.match(/##\[warning\]No files were found with the provided path: (nothing|\.hidden)/g),
  ).toHaveLength(2);
  expect(log).toMatch(/digest [0-9a-f]{64}/);
});

test("downloads by name, by pattern, all, merged, and from another run by token", async () => {
  const world = await makeWorld();
  const run = await world.push(`
on: push
jobs:
  make:
    runs-on: ubuntu-latest
    strategy: { matrix: { part: [1, 2] } }
    steps:
      - run: echo "part \${{ matrix.part }}" > part-\${{ matrix.part }}.txt
      - { uses: ${UPLOAD}, with: { name: "part-\${{ matrix.part }}", path: "part-*.txt" } }
      - if: matrix.part == 1
        run: echo report > report.json
      - { if: matrix.part == 1, uses: ${UPLOAD}, with: { name: report, path: report.json } }
  use:
    needs: make
    runs-on: ubuntu-latest
    steps:
      - { uses: ${DOWNLOAD}, with: { name: report, path: one } }
      - { uses: ${DOWNLOAD}, with: { pattern: "part-*", path: parts } }
      - { uses: ${DOWNLOAD}, with: { pattern: "part-*", path: merged, merge-multiple: true } }
      - { uses: ${DOWNLOAD}, with: { pattern: "part-1", path: single } }
      - { uses: ${DOWNLOAD}, with: { pattern: "nothing-*", path: nothing } }
      - id: all
        uses: ${DOWNLOAD}
      - run: find . -type f | sort; echo "\${{ steps.all.outputs.download-path == github.workspace }}"
  lost: { runs-on: ubuntu-latest, steps: [{ uses: ${DOWNLOAD}, with: { name: lost } }] }
  twice:
    runs-on: ubuntu-latest
    steps:
      - run: echo x > x
      - { uses: ${UPLOAD}, with: { path: x } }
      - { uses: ${UPLOAD}, with: { path: x } }
  required: { runs-on: ubuntu-latest, steps: [{ uses: ${UPLOAD}, with: { path: no, if-no-files-found: error } }] }
`);
  expect(logOf(run, "use")).toContain(
    `${[
      "./merged/part-1.txt",
      "./merged/part-2.txt",
      "./one/report.json",
      "./part-1/part-1.txt",
      "./part-2/part-2.txt",
      "./parts/part-1/part-1.txt",
      "./parts/part-2/part-2.txt",
      "./report/report.json",
      "./single/part-1.txt",
      "true",
    ].join("\n")}\n`,
  );
  expect(conclusions(run)).toMatchObject({
    use: "success",
    lost: "failure",
    twice: "failure",
    required: "failure",
  });
  expect(logOf(run, "lost")).toContain("##[error]Artifact 'lost' not found");
  expect(logOf(run, "twice")).toContain("artifact artifact exists");
  expect(logOf(run, "required")).toContain("##[error]No files were found with the provided path: no");

  const download = `uses: ${DOWNLOAD}, with: { name: report, run-id: ${run.id}`;
  const other = await world.push(`
on: push
permissions: {}
jobs:
  may:
    permissions: { actions: read }
    runs-on: ubuntu-latest
    steps:
      - { ${download}, github-token: "\${{ github.token }}" } }
      - run: cat report.json
  may-not: { runs-on: ubuntu-latest, steps: [{ ${download}, github-token: "\${{ github.token }}" } }] }
  no-token: { runs-on: ubuntu-latest, steps: [{ ${download} } }] }
`);
  expect(conclusions(other)).toEqual({ may: "success", "may-not": "failure", "no-token": "failure" });
  expect(logOf(other, "may")).toContain("\nreport\n");
  expect(logOf(other, "may-not")).toContain("403 Resource not accessible by integration");
  expect(logOf(other, "no-token")).toContain("run-id of another run needs github-token");
});

test("never unpacks outside the folder", async () => {
  const world = await makeWorld();
  const put = world.hub.actions.createRun;
  Object.assign(world.hub.actions, {
    createRun: (run: Parameters<typeof put>[0]) => {
      const id = put(run);
      world.hub.actions.putArtifact(id, "bad", zipSync({ "../escaped": new Uint8Array([1]) }));
      return id;
    },
  });
  const run = await world.push(workflow(`- { uses: ${DOWNLOAD}, with: { name: bad, path: in } }`));
  expect(logOf(run, "main")).toContain("'../escaped' is outside");
  expect(run.conclusion).toBe("failure");
});
