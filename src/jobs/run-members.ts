import { compareExecutions, type MemberScore } from "../lib/benchmarks/compare.ts";
import type { Finding } from "../lib/findings.ts";
import { type JudgedAnswer, judgeAnswer } from "../lib/run/answer.ts";
import type { CallAnswer } from "../lib/run/call.ts";
import type { NotAsked } from "../lib/run/document.ts";
import { layOutPrompt } from "../lib/run/member-prompt.ts";
import type { MemberPrompt, PromptMode } from "../lib/run/prompt.ts";
import type { AvailableMember, LoadedSuite } from "./score.ts";

/** A member made ready to be asked: verified, and its prompt laid out. */
export interface ReadyMember {
  readonly id: string;
  readonly notAsked: NotAsked | null;
  readonly prompt: MemberPrompt | null;
  readonly loaded: AvailableMember | null;
}

/** Loads every member and lays out its prompt: digests that do not hold are findings, before any call. */
export async function prepareMembers(
  loaded: LoadedSuite,
  mode: PromptMode,
): Promise<(ReadyMember & { findings: readonly Finding[] })[]> {
  const members: (ReadyMember & { findings: readonly Finding[] })[] = [];
  for (const { id, task } of loaded.suite.members) {
    const member = await loaded.member(id);
    if (!member.available) {
      const notAsked = { code: "workbook-not-staged", message: member.reason } as const;
      members.push({ id, notAsked, prompt: null, loaded: null, findings: member.findings });
      continue;
    }
    const laid = layOutPrompt(member.workbook, task, mode);
    members.push({
      id,
      loaded: member,
      findings: [],
      ...(laid.ok
        ? { notAsked: null, prompt: laid.prompt }
        : { prompt: null, notAsked: { code: "prompt-too-large", message: laid.message } }),
    });
  }
  return members;
}

/** Judges each answer once: the loop derives its state anew at every step. */
export function judgeOnce(members: readonly ReadyMember[]) {
  const byId = new Map(members.map((member) => [member.id, member]));
  const judged = new Map<CallAnswer, JudgedAnswer>();
  const scores = new Map<JudgedAnswer, MemberScore>();
  const judge = (id: string, answer: CallAnswer): JudgedAnswer => {
    const known = judged.get(answer);
    if (known !== undefined) return known;
    const workbook = byId.get(id)?.loaded?.workbook;
    if (workbook === undefined) throw new Error(`no workbook to judge ${id} on`);
    const fresh = judgeAnswer(answer, workbook);
    judged.set(answer, fresh);
    return fresh;
  };
  /** What an accepted answer scores; null for any other. Never looked at by the loop. */
  const score = (id: string, answer: JudgedAnswer): MemberScore | null => {
    const reference = byId.get(id)?.loaded?.reference;
    if (reference === undefined || answer.execution === null) return null;
    const known = scores.get(answer) ?? compareExecutions(reference, answer.execution);
    scores.set(answer, known);
    return known;
  };
  return Object.assign(judge, { score });
}

/** A run has asked about a member that can no longer be judged. */
export const goneFinding = (member: string): Finding => ({
  code: "run-workbook-gone",
  severity: "error",
  message: `The run has asked about ${member}, whose workbook is no longer staged.`,
  hint: "Stage it again (npm run bench:bank -- stage <folder>) and give the same command, or start anew with --fresh.",
});
