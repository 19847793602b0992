import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EFFORT_VIEWS, SCORE_COLUMNS } from "../../src/lib/code/aggregate/selection.ts";
import { href } from "../../src/site/site-info.ts";
import { type BoardState, FIRST_STATE, readState, writeState } from "../../src/site/state.ts";

const name = fc.option(fc.string({ minLength: 1, maxLength: 60 }));
const part = fc.stringMatching(/^[a-z0-9@.-]{1,60}$/);
const states: fc.Arbitrary<BoardState> = fc.record({
  selection: fc.record({
    lead: name,
    task: name,
    efforts: fc.constantFrom(...EFFORT_VIEWS),
    replicate: fc.option(fc.integer({ min: 1, max: 99 })),
    column: fc.constantFrom(...SCORE_COLUMNS),
  }),
  budget: fc.option(fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
  sorting: fc.option(
    fc.record({
      column: fc.constantFrom("final", "cost", "cross-vendor"),
      direction: fc.constantFrom("high", "low"),
    }),
  ),
  panel: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant("entry" as const), run: part, entry: part }),
      fc.record({ kind: fc.constant("runs" as const), configuration: part, within: name }),
    ),
  ),
});

describe("the address of a view", () => {
  it("leads back to the same view, whatever is selected", () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(readState(writeState(state))).toEqual(state);
      }),
    );
  });

  it("is short where nothing is selected", () => expect(writeState(FIRST_STATE)).toBe(""));

  it("may say anything without breaking the page", () => {
    fc.assert(fc.property(fc.webQueryParameters(), (query) => void readState(`?${query}`)));
    const odd = readState("?run=-1&show=everything&by=luck&budget=NaN&sort=%00&entry=&task=");
    expect(odd).toEqual(FIRST_STATE);
  });
});

describe("addresses between pages", () => {
  it.each([
    ["index.html", "code/index.html", "code/index.html"],
    ["code/index.html", "index.html", "../index.html"],
    ["sheet/a/members/x.html", "sheet/a/index.html", "../index.html"],
    ["sheet/a/index.html", "sheet/b/index.html", "../b/index.html"],
    ["code/index.html", "code/index.html?task=x", "index.html?task=x"],
  ])("from %s to %s is %s", (from, to, address) => {
    expect(href(from, to)).toBe(address);
    expect(new URL(address, `http://host/sub/${from}`).href).toBe(`http://host/sub/${to}`);
  });
});
