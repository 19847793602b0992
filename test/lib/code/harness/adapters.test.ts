import { describe, expect, it } from "vitest";
import { type HarnessSession, NO_KEY } from "../../../../src/lib/code/harness/adapter.ts";
import { commandHarness } from "../../../../src/lib/code/harness/command.ts";
import { adapterOf, HARNESS_NAMES } from "../../../../src/lib/code/harness/registry.ts";
import { HARNESSES } from "../../../../src/lib/code/schema/usage-schema.ts";
import { READABLE_HARNESSES } from "../../../../src/lib/code/usage/import-usage.ts";
import { whyNoOrigin } from "../../../../src/lib/egress/policy.ts";

const session: HarnessSession = {
  model: "some-model-1",
  effort: "xhigh",
  prompt: "do the work",
  work: "/job/work",
  home: "/job/home",
  api: "http://127.0.0.1:8787",
};
const adapters = [
  ...HARNESS_NAMES.map((name) => [name, adapterOf(name)] as const),
  ["command", commandHarness({ line: "run it", origin: "http://127.0.0.1:4000" })] as const,
];

describe.each(adapters)("the adapter of %s", (name, adapter) => {
  if (adapter === null) throw new Error("a listed harness has an adapter");
  const told = [
    ...adapter.command(session),
    ...Object.values(adapter.environment(session)),
    ...adapter.files(session).map(({ text }) => text),
  ].join("\n");

  it("tells the harness model, effort and prompt, and that the API is the forwarder", () => {
    expect(told).toContain("some-model-1");
    expect(told).toContain("do the work");
    expect(told).toContain("xhigh");
    expect(told).toContain(session.api);
  });

  it("F52: gives it no key, and leaves the origin to the proxy", () => {
    expect(told).toContain(NO_KEY);
    expect(told).not.toContain(adapter.api.origin);
    expect(whyNoOrigin(adapter.api.origin)).toBeNull();
  });

  it("keeps everything in its home, and names logs that can be read", () => {
    for (const { path } of adapter.files(session)) expect(path).toMatch(/^[A-Za-z.][A-Za-z0-9./-]*$/);
    expect(adapter.logs).not.toMatch(/^\/|\.\./);
    if (adapter.reader !== null) expect(READABLE_HARNESSES).toContain(adapter.reader);
    if (name !== "command") expect(HARNESSES).toContain(name);
  });

  it("says nothing of effort where the model has none", () => {
    const silent = { ...session, effort: "default" };
    if (name === "command")
      return expect(adapter.environment(silent)).toMatchObject({ ASSAY_EFFORT: "default" });
    const words = [...adapter.command(silent), ...adapter.files(silent).map(({ text }) => text)].join("\n");
    expect(words).not.toContain("default");
    expect(words).not.toMatch(/effort|variant/);
  });
});

it("a name that is no harness has no adapter", () => {
  for (const name of ["cursor", "toString", "__proto__", ""]) expect(adapterOf(name)).toBeNull();
});
