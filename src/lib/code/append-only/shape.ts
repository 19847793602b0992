/**
 * What of a committed document may grow. Whatever a shape does not name stays as it is: values equal, keys neither added
 * nor removed, lists of the same length.
 */
export type Shape =
  /** Stays as it is, whole. */
  | { readonly kind: "frozen" }
  | {
      readonly kind: "object";
      /** Keys whose values may grow themselves; other keys are frozen. */
      readonly keys: Readonly<Record<string, Shape>>;
      /** Optional keys that may be added, once: what was not known yet. */
      readonly later: readonly string[];
    }
  /** A list whose items are told apart by these keys: it may gain items, anywhere. */
  | { readonly kind: "keyed"; readonly by: readonly string[]; readonly item: Shape }
  /** A list in which order matters: items are added at its end. */
  | { readonly kind: "log" };

/** Stays as it is, whole. */
export const FROZEN: Shape = { kind: "frozen" };
const LOG: Shape = { kind: "log" };

const object = (keys: Readonly<Record<string, Shape>>, later: readonly string[] = []): Shape => ({
  kind: "object",
  keys,
  later,
});
const keyed = (by: readonly string[], item: Shape = FROZEN): Shape => ({ kind: "keyed", by, item });

/** A measurement stays as it is; its signature may come later than it. */
const MEASURED = object({}, ["attestation"]);

const ENTRY = object({ hidden: MEASURED, perf: MEASURED }, ["usage", "hidden", "perf", "quality"]);

/** A session's words stay; a seat that was missing may be filled, and its costs may become known. */
const SESSION = object({ reviews: keyed(["letter"]) }, ["missing", "usage"]);

/** `data/runs/<run>.json` */
const RUN = object(
  {
    brief: object({}, ["usage"]),
    kit: object({}, ["usage"]),
    entries: keyed(["id"], ENTRY),
    council: object({ sessions: keyed(["id"], SESSION), revisions: LOG }),
    revisions: LOG,
  },
  ["kit", "excluded"],
);

/** `data/defects/<task>.json` */
const DEFECTS = object({
  defects: keyed(
    ["id"],
    object({ entries: keyed(["run", "entry"]), findings: keyed(["run", "session", "finding"]) }, [
      "control",
      "note",
    ]),
  ),
  revisions: LOG,
});

/** `data/anchors/<task>.json` */
const ANCHORS = object({ anchors: keyed(["id"]) });

/** `data/judges.json`: a judge that changes its model or effort is another judge. */
const JUDGES = object({ judges: keyed(["id"], object({}, ["retired_at"])) });

/** `data/models.json` */
const MODELS = object({
  vendors: keyed(["id"]),
  models: keyed(["id"], object({ efforts: keyed([]), log_names: keyed([]) }, ["priced_as"])),
});

/** `data/pricing.json`: a price that was recorded stays; another one is another item of the history. */
const PRICING = object({ cards: keyed(["id"], object({ history: keyed(["valid_from", "recorded_at"]) })) });

/** Kinds of documents that grow. */
export const GROWING = {
  runs: RUN,
  defects: DEFECTS,
  anchors: ANCHORS,
  judges: JUDGES,
  models: MODELS,
  pricing: PRICING,
} as const satisfies Readonly<Record<string, Shape>>;
export type Growing = keyof typeof GROWING;
