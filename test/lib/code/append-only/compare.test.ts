import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareGrowth, equalJson } from "../../../../src/lib/code/append-only/compare.ts";
import { GROWING } from "../../../../src/lib/code/append-only/shape.ts";

const run = () => ({
  schema_version: 1,
  id: "r1",
  brief: { sha256: "a" },
  replicate: 1,
  entries: [
    {
      id: "alpha",
      deliverable: [{ path: "a.rs", bytes: 3 }],
      hidden: { at: "t", categories: [{ id: "c1", passed: true }] },
    },
    { id: "beta", deliverable: [] },
  ],
  council: {
    sessions: [
      {
        id: "s1",
        judge: "j",
        order: [{ letter: "A", entry: "alpha" }],
        reviews: [{ letter: "A", score: 8, findings: [{ id: "f1", text: "x" }] }],
      },
    ],
    revisions: [{ id: "v1", to: 7 }],
  },
  revisions: [],
});
type Run = ReturnType<typeof run>;

const against = (change: (now: Run & Record<string, unknown>) => void) => {
  const now = structuredClone(run()) as Run & Record<string, unknown>;
  change(now);
  return compareGrowth(run(), now, GROWING.runs);
};
const any = (value: unknown): Record<string, never> => value as Record<string, never>;

describe("what may be added to a run", () => {
  it.each<[string, (now: Run) => void, string[]]>([
    ["nothing", () => {}, []],
    [
      "an entry, also in front",
      (now) => now.entries.unshift({ ...any({ id: "gamma" }), deliverable: [] } as never),
      ["/entries/0"],
    ],
    [
      "a session",
      (now) => now.council.sessions.push({ ...any({ id: "s2" }) } as never),
      ["/council/sessions/1"],
    ],
    [
      "a review of a seat that was missing",
      (now) => now.council.sessions[0]?.reviews.push({ letter: "B", score: 1, findings: [] }),
      ["/council/sessions/0/reviews/1"],
    ],
    [
      "a revision at the end of its log",
      (now) => now.council.revisions.push({ id: "v2", to: 6 }),
      ["/council/revisions/1"],
    ],
    [
      "a measurement that was not there",
      (now) => Object.assign(now.entries[1] ?? {}, { hidden: { at: "t" } }),
      ["/entries/1/hidden"],
    ],
    [
      "the signature of a measurement",
      (now) => Object.assign(now.entries[0]?.hidden ?? {}, { attestation: {} }),
      ["/entries/0/hidden/attestation"],
    ],
    ["usage of the brief", (now) => Object.assign(now.brief, { usage: {} }), ["/brief/usage"]],
    ["entries in another order", (now) => now.entries.reverse(), []],
  ])("%s", (_, change, gained) => {
    const found = against(change);
    expect(found).toEqual({ differences: [], total: 0, gained });
  });
});

describe("F22: what may not be changed in a run", () => {
  it.each<[string, (now: Run & Record<string, unknown>) => void, object]>([
    [
      "a score",
      (now) => Object.assign(now.council.sessions[0]?.reviews[0] ?? {}, { score: 9 }),
      {
        kind: "changed",
        pointer: "/council/sessions/0/reviews/0/score",
        keyed: "/council/sessions/[id=s1]/reviews/[letter=A]/score",
        was: "8",
        is: "9",
      },
    ],
    [
      "a value behind an entry that was put in front",
      (now) => {
        Object.assign(now.entries[0]?.hidden?.categories[0] ?? {}, { passed: false });
        now.entries.unshift({ id: "new", deliverable: [] } as never);
      },
      {
        kind: "changed",
        pointer: "/entries/1/hidden/categories/0/passed",
        keyed: "/entries/[id=alpha]/hidden/categories/0/passed",
        was: "true",
        is: "false",
      },
    ],
    [
      "a finding less",
      (now) => now.council.sessions[0]?.reviews[0]?.findings.pop(),
      {
        kind: "changed",
        pointer: "/council/sessions/0/reviews/0/findings",
        was: "a list of 1",
        is: "a list of 0",
      },
    ],
    [
      "an entry removed",
      (now) => now.entries.pop(),
      { kind: "removed", pointer: "/entries", keyed: "/entries/[id=beta]", is: null },
    ],
    [
      "a key removed",
      (now) => delete (now as Record<string, unknown>).replicate,
      { kind: "removed", pointer: "", keyed: "/replicate", was: "1", is: null },
    ],
    [
      "a measurement removed",
      (now) => delete any(now.entries[0]).hidden,
      { kind: "removed", pointer: "/entries/0", keyed: "/entries/[id=alpha]/hidden" },
    ],
    [
      "a key that does not come later",
      (now) => Object.assign(now.entries[1] ?? {}, { dnf: {} }),
      { kind: "added", pointer: "/entries/1/dnf", was: null, is: "an object with 0 keys" },
    ],
    [
      "an item of a log",
      (now) => now.council.revisions.unshift({ id: "v0", to: 1 }),
      { kind: "log", pointer: "/council/revisions/0" },
    ],
    [
      "an item of a log removed",
      (now) => now.council.revisions.pop(),
      { kind: "removed", keyed: "/council/revisions/0" },
    ],
    [
      "a list made something else",
      (now) => Object.assign(now, { entries: {} }),
      { kind: "changed", pointer: "/entries", was: "a list of 2", is: "an object with 0 keys" },
    ],
    [
      "an id renamed",
      (now) => Object.assign(now.entries[1] ?? {}, { id: "zeta" }),
      { kind: "removed", keyed: "/entries/[id=beta]" },
    ],
    [
      "a letter given to another entry",
      (now) => Object.assign(now.council.sessions[0]?.order[0] ?? {}, { entry: "beta" }),
      { kind: "changed", pointer: "/council/sessions/0/order/0/entry", was: '"alpha"', is: '"beta"' },
    ],
  ])("%s", (_, change, expected) => {
    const found = against(change);
    expect(found.total).toBe(1);
    expect(found.differences[0]).toMatchObject(expected);
  });

  it("an item twice, changed and as it was: the first of them counts", () => {
    const found = against((now) => now.entries.unshift({ id: "beta", deliverable: [{}] } as never));
    expect(found.differences).toMatchObject([{ kind: "changed", pointer: "/entries/0/deliverable" }]);
  });

  it("counts all and lists some", () => {
    const before = { models: Array.from({ length: 80 }, (_, id) => ({ id, name: "a" })), vendors: [] };
    const after = { ...before, models: before.models.map(({ id }) => ({ id, name: "b" })) };
    const found = compareGrowth(before, after, GROWING.models, 10);
    expect([found.differences.length, found.total]).toEqual([10, 80]);
  });

  it("shows long texts where they differ", () => {
    const found = compareGrowth("x".repeat(500), `${"x".repeat(400)}y${"x".repeat(99)}`, { kind: "frozen" });
    expect(found.differences[0]?.is).toContain("y");
    expect(found.differences[0]?.was).not.toContain("y");
  });
});

describe("other documents", () => {
  it("a defect gains entries and findings, and keeps what it has", () => {
    const before = {
      task: "t",
      defects: [{ id: "D-1", title: "x", entries: [{ run: "r", entry: "a" }], findings: [] }],
      revisions: [],
    };
    const after = structuredClone(before);
    after.defects[0]?.entries.push({ run: "r", entry: "b" });
    expect(compareGrowth(before, after, GROWING.defects)).toMatchObject({
      total: 0,
      gained: ["/defects/0/entries/1"],
    });
    Object.assign(after.defects[0] ?? {}, { title: "y" });
    expect(compareGrowth(before, after, GROWING.defects).total).toBe(1);
  });

  it("a price gets a later one beside it; the earlier stays", () => {
    const history = [{ valid_from: "2026-01-01", recorded_at: "2026-01-02", input: 5 }];
    const before = { cards: [{ id: "c", history }] };
    const later = { valid_from: "2026-06-01", recorded_at: "2026-06-02", input: 4 };
    expect(
      compareGrowth(before, { cards: [{ id: "c", history: [later, ...history] }] }, GROWING.pricing).total,
    ).toBe(0);
    expect(
      compareGrowth(before, { cards: [{ id: "c", history: [{ ...history[0], input: 4 }] }] }, GROWING.pricing)
        .total,
    ).toBe(1);
  });

  it("a judge may retire once", () => {
    const before = { judges: [{ id: "j", name: "J" }] };
    const retired = { judges: [{ id: "j", name: "J", retired_at: "t1" }] };
    expect(compareGrowth(before, retired, GROWING.judges).total).toBe(0);
    expect(
      compareGrowth(retired, { judges: [{ id: "j", name: "J", retired_at: "t2" }] }, GROWING.judges).total,
    ).toBe(1);
    expect(compareGrowth(retired, before, GROWING.judges).total).toBe(1);
  });
});

describe("equal JSON", () => {
  it("nothing differs from itself, whatever the order of its keys; everything that differs is found", () => {
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([key, each]) => [key, turned(each)]),
            )
          : value;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
        const plain = JSON.parse(JSON.stringify(a));
        expect(compareGrowth(plain, turned(plain), { kind: "frozen" }).total).toBe(0);
        const other = JSON.parse(JSON.stringify(b));
        expect(compareGrowth(plain, other, { kind: "frozen" }).total === 0).toBe(equalJson(plain, other));
      }),
    );
  });
});
