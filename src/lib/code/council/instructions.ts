import type { Finding } from "../../findings.ts";

/** Phrases that speak to whoever judges the code, and what each asks for. */
const PHRASES: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    "a score",
    /\b(?:give|award|assign|grant|rate|score|grade|mark)\b[^.\n]{0,40}\b(?:10|ten|9|nine|full|perfect|top|highest|maximum|max)\b(?:\s*(?:\/|out of)\s*10|\s+(?:points?|marks?|score|rating))?/i,
  ],
  ["a score", /\b(?:score|rating|grade)\s*(?:[:=]|should be|must be|is)\s*(?:10|ten|9(?:\.\d)?)\b/i],
  [
    "to forget instructions",
    /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,30}\b(?:instructions?|rubric|prompt|rules|guidelines|criteria)\b/i,
  ],
  [
    "to be lenient",
    /\b(?:do not|don't|never|please)\s+(?:report|mention|deduct|penali[sz]e|flag|lower)\b[^.\n]{0,60}/i,
  ],
  [
    "an answer from the judge",
    /\b(?:dear|note (?:to|for)|attention|hey|hello|as) (?:the |an? |any )?(?:ai |llm |code )?(?:judges?|reviewers?|graders?|evaluators?|llm|language model|ai)\b/i,
  ],
  [
    "an answer from the judge",
    /\b(?:you are|you're) (?:now )?(?:an? |the )?(?:\w+ )?(?:ai|llm|assistant|judge|reviewer|grader|evaluator|language model)\b/i,
  ],
  [
    "another role",
    /(?:^|[\s"'`<([])(?:system prompt|<\/?(?:system|assistant|user|instructions?|entry|spec|rubric)>|<\|[a-z_]+\|>|\[\/?INST\])/i,
  ],
];

/** A score is only asked for by a sentence that is about judging, not by `score = 10` of a program that keeps scores. */
const JUDGING =
  /\b(?:judges?|reviewers?|graders?|evaluators?|review|rubric|entry|submission|implementation|this|it|us|me|solution|code)\b/i;

/**
 * Plain scan for instructions to the judge inside an entry. A hit stops nothing: the text goes to the judge as data, and a
 * person should look at it. One finding a line.
 */
export function findInstructions(path: string, text: string): Finding[] {
  return text.split("\n").flatMap((line, index) => {
    const hit = PHRASES.find(
      ([what, pattern]) => pattern.test(line) && (what !== "a score" || JUDGING.test(line)),
    );
    if (hit === undefined) return [];
    return [
      {
        code: "code-council-instruction",
        severity: "warning" as const,
        message: `This line speaks to the judge: it asks for ${hit[0]}.`,
        path,
        line: index + 1,
        hint: "It goes to the judge as data. Look at it before you rely on the entry's reviews.",
      },
    ];
  });
}
