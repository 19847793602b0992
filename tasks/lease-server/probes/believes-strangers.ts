import type { Probe } from "../../../src/lib/defects/probe.ts";

/** Anybody can end a lease by sending the server a message in the form of a monitor's. */
export const probe: Probe = {
  cases: [{ content: new TextEncoder().encode("Sc1 acquire a 10\nstray\nsnapshot") }],
  look: ([answer]) => {
    if (answer?.kind !== "answer") return "unclear";
    const text = new TextDecoder().decode(answer.bytes);
    const before = "c1 = ok 1\nsent\nnow = 0";
    if (text === `${before}\n  a c1 1 10 []`) return "absent";
    return text === before ? "present" : "unclear";
  },
};
