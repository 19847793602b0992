import { JOB_KINDS, type JobKind, targetSchema } from "./order-schema.ts";

/**
 * What the App writes into the external id of the check run that stands for a job. Only the App that made a check run can change it, so
 * the guard believes this and nothing that whoever dispatched a workflow typed (F04, F12). Pure.
 */
export interface JobMemo {
  readonly kind: JobKind;
  readonly target: string;
  readonly host: string;
  readonly pull: number;
  /** Numeric id of the account that asked. */
  readonly by: number;
  readonly login: string;
  readonly comment: number;
  /** When it was asked: seconds since 1970. */
  readonly at: number;
}

export const formatJobMemo = (memo: JobMemo): string =>
  `job kind=${memo.kind} target=${memo.target} host=${memo.host} pull=${memo.pull} by=${memo.by} login=${memo.login} comment=${memo.comment} at=${memo.at}`;

const MEMO =
  /^job kind=([a-z]+) target=(\S+) host=([a-z0-9][a-z0-9._-]*) pull=(\d+) by=(\d+) login=([A-Za-z0-9_-]+) comment=(\d+) at=(\d+)(?: .*)?$/;

/** Null when the text is none of ours. What the bot adds behind it is its own affair. */
export function parseJobMemo(text: string | null | undefined): JobMemo | null {
  const found = MEMO.exec(text ?? "");
  const kind = JOB_KINDS.find((known) => known === found?.[1]);
  const target = found?.[2] ?? "";
  if (found === null || kind === undefined || !targetSchema.safeParse(target).success) return null;
  const [, , , host = "", pull, by, login = "", comment, at] = found;
  return {
    kind,
    target,
    host,
    pull: Number(pull),
    by: Number(by),
    login,
    comment: Number(comment),
    at: Number(at),
  };
}
