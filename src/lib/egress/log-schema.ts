import { z } from "zod";
import { instantSchema } from "../benchmarks/suite-schema.ts";
import { EGRESS_REFUSALS } from "./policy.ts";

const bytes = z.int().nonnegative();

/** How a request that the API got went wrong on the way back. */
export const EGRESS_FAULTS = [
  "unreachable",
  "silent",
  "redirect",
  "request-too-large",
  "response-too-large",
  "key-in-response",
  "broken-off",
] as const;

/** One request of a contestant: sizes and times, no body, no key, and of what was refused not even the path. */
export const egressRecordSchema = z.strictObject({
  at: instantSchema,
  /** Milliseconds from the request's head to the end of the answer. */
  ms: bytes,
  method: z.string().max(10),
  /** Only where it is a route of the API. */
  path: z.string().max(300).nullable(),
  /** What the contestant was answered. */
  status: z.int(),
  request_bytes: bytes,
  response_bytes: bytes,
  refused: z.enum(EGRESS_REFUSALS).optional(),
  fault: z.enum(EGRESS_FAULTS).optional(),
});

export type EgressRecord = z.infer<typeof egressRecordSchema>;
export type EgressFault = (typeof EGRESS_FAULTS)[number];

/** What the records of a run come to. */
export interface EgressSummary {
  readonly requests: number;
  readonly refused: number;
  /** Answered by the API with success. */
  readonly answered: number;
  /** The API could not be reached, failed, or would not serve this key: nothing that a contestant can do about it. */
  readonly failed: number;
  /** The last request that went to the API was one of those. */
  readonly endedFailed: boolean;
}

/** No such key, no money, no permission, too many requests. */
const NOT_SERVED = new Set([401, 402, 403, 429]);

const isFailure = ({ status, fault }: EgressRecord): boolean =>
  fault === "unreachable" ||
  fault === "silent" ||
  (fault === undefined && (NOT_SERVED.has(status) || status >= 500));

export function summariseEgress(records: readonly EgressRecord[]): EgressSummary {
  const sent = records.filter(({ refused }) => refused === undefined);
  return {
    requests: records.length,
    refused: records.length - sent.length,
    answered: sent.filter(({ status, fault }) => status >= 200 && status < 300 && fault === undefined).length,
    failed: sent.filter(isFailure).length,
    endedFailed: sent.slice(-1).some(isFailure),
  };
}

/** Whether nothing came of the run because the API never answered: then nothing may be said of the contestant. */
export const neverAnswered = ({ answered, failed }: EgressSummary): boolean => answered === 0 && failed > 0;

/** The records as lines of JSON, which is how they are kept. */
export const renderEgressLog = (records: readonly EgressRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
