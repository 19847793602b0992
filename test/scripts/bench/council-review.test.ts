import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { patientFetch } from "../../../src/io/code/council-fetch.ts";
import { openChatClient } from "../../../src/io/run/chat-client.ts";
import { formatFinding } from "../../../src/io/terminal.ts";
import { reviewPack } from "../../../src/jobs/code-council-review.ts";
import { type SessionFile, sessionFileSchema } from "../../../src/lib/code/council/session-file.ts";
import { hasErrors } from "../../../src/lib/findings.ts";
import {
  type Completion,
  complete,
  type Provider,
  type ProviderRequest,
  send,
  startProvider,
} from "../run/provider.ts";
import {
  type CouncilRoot,
  council,
  type Ended,
  foundIn,
  lettersOf,
  makeCouncilRoot,
  reviewOf,
  startCouncil,
} from "./council-root.ts";

/** One pack of two entries and three anchors, made once. */
let root: CouncilRoot;
let pack: string;
let letters: string[];
let work: string;

beforeAll(async () => {
  root = makeCouncilRoot(2);
  const made = await council("pack", "new-run", "--judge", "j-sol", "--seed", "7", "--root", root.folder);
  expect(made.code, made.err).toBe(0);
  const [name = ""] = await readdir(join(root.folder, ".council/packs"));
  pack = join(root.folder, ".council/packs", name);
  letters = JSON.parse(await readFile(join(pack, "pack.json"), "utf8")).letters;
});
afterAll(() => rm(root.folder, { recursive: true }));
beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), "assay-review-"));
  return () => rm(work, { recursive: true });
});

const args = (provider: Provider, ...more: string[]): string[] => [
  ...["review", pack, "--judge", "j-sol", "--root", root.folder, "--out", work],
  ...["--base-url", provider.url, ...more],
];

async function session(): Promise<SessionFile> {
  const [name = ""] = await readdir(join(work, "reviews"));
  return sessionFileSchema.parse(
    JSON.parse(await readFile(join(work, "reviews", name, "session.json"), "utf8")),
  );
}

type Reply = (request: ProviderRequest) => void;
const says =
  (content: unknown, more: Completion = {}): Reply =>
  (request) =>
    complete(request, { ...more, content: typeof content === "string" ? content : JSON.stringify(content) });
/** Sound reviews of what is asked for, with changes by letter. */
const reviews =
  (change: (letter: string, index: number) => unknown = (letter) => reviewOf(letter)): Reply =>
  (request) =>
    says({ reviews: lettersOf(request).map(change) }, { cost: 0.5 })(request);

/** Reviews the pack by the command itself. */
async function byCommand(
  replies: readonly Reply[],
): Promise<{ ended: Ended; requests: readonly ProviderRequest[] }> {
  const provider = await startProvider((request) =>
    replies[Math.min(request.number, replies.length) - 1]?.(request),
  );
  const ended = await council(...args(provider));
  await provider.close();
  return { ended, requests: provider.requests };
}

/** Reviews the pack in this process, as the command does after it has read its options. */
async function review(
  replies: readonly Reply[],
  timeoutMs = 20_000,
): Promise<{ ended: Ended; requests: readonly ProviderRequest[] }> {
  const provider = await startProvider((request) =>
    replies[Math.min(request.number, replies.length) - 1]?.(request),
  );
  const never = new AbortController().signal;
  const reviewed = await reviewPack(
    {
      ...{
        pack,
        judge: "j-sol",
        model: "gpt-6.1-sol",
        effort: "high",
        address: "test",
        maxTokens: null,
        council: work,
      },
      client: openChatClient({
        baseUrl: provider.url,
        apiKey: null,
        timeoutMs,
        includeUsage: false,
        fetch: patientFetch,
      }),
    },
    {
      now: () => new Date().toISOString(),
      sleep: async () => {},
      stop: never,
      abandon: never,
      say: () => {},
    },
  );
  await provider.close();
  const err = reviewed.findings.map((finding) => formatFinding(finding)).join("\n");
  return { ended: { code: hasErrors(reviewed.findings) ? 1 : 0, out: "", err }, requests: provider.requests };
}

describe("a good judge", () => {
  it("is asked once, for its own model and effort, with rubric and contract and without the brief", async () => {
    const { ended, requests } = await byCommand([
      reviews((letter) =>
        reviewOf(letter, 7.5, [foundIn("src/lib.rs", 3), foundIn(`${letter}/src/lib.rs`, null)]),
      ),
    ]);
    expect(ended.code, ended.err).toBe(0);
    expect(ended.out).toMatch(/Next: tools\/bench council import .*session\.json --run <run>\n$/);
    expect(requests).toHaveLength(1);
    const { body } = requests[0] as ProviderRequest;
    expect(body).toMatchObject({
      model: "gpt-6.1-sol",
      reasoning_effort: "high",
      response_format: { type: "json_schema", json_schema: { strict: true } },
    });
    const [system, user] = body.messages.map(({ content }) => content);
    expect(system).toContain("# Rubric of the code council");
    expect(user).toContain("Empty input encodes to no bytes.");
    for (const letter of letters) expect(user).toContain(`begin entry ${letter}]`);
    expect(user).toContain("3| pub fn encode_");
    expect(`${system}${user}`).not.toMatch(/new-run|old-run|j-sol|claude|anthropic|grok/i);
    // Findings come before the score.
    const text = JSON.stringify(body.response_format);
    expect(text.indexOf('"findings"')).toBeLessThan(text.indexOf('"score"'));

    const written = await session();
    expect(
      written.reviews.map(({ letter, score, findings }) => [letter, score, findings.map(({ file }) => file)]),
    ).toEqual(letters.map((letter) => [letter, 7.5, ["src/lib.rs", "src/lib.rs"]]));
    expect(written.missing).toBeUndefined();
    expect(written.usage).toMatchObject({
      harness: "openai-api",
      models: ["gpt-6.1-sol"],
      cost_recorded_usd: 0.5,
      per: "request",
    });
    expect(written.usage?.requests).toEqual([[expect.any(Number), 0, 0, 100, 0, 0, 0, 0, 10, 0]]);
  });

  it("costs a key at OpenRouter, and what is said of that fits a judge", async () => {
    const { code, err } = await council(
      ...["review", pack, "--judge", "j-sol", "--root", root.folder, "--out", work],
    );
    expect([code, err]).toEqual([1, expect.stringContaining("run-key-missing")]);
    expect(err).toContain("--base-url");
    expect(err).not.toContain("baseline");
  });

  it("says where the letters map lies when that is not its usual place", async () => {
    const made = await council(
      ...["pack", "new-run", "--judge", "j-sol", "--seed", "9", "--root", root.folder, "--out", work],
    );
    expect(made.out).toMatch(/^Seed 9; 1 pack:\n/);
    const [name = ""] = await readdir(join(work, "packs"));
    const provider = await startProvider((request) => reviews()(request));
    const ended = await council(
      ...["review", join(work, "packs", name), "--judge", "j-sol", "--root", root.folder],
      ...["--out", work, "--base-url", provider.url],
    );
    await provider.close();
    expect(ended.code, ended.err).toBe(0);
    expect(ended.out).toContain(`--letters ${join(work, "letters", `${name}.json`)}\n`);
  });

  it("puts entries between markers that no entry could guess, and the rubric's criteria in an order of the seed", async () => {
    const { requests } = await review([reviews()]);
    const other = await mkdtemp(join(tmpdir(), "assay-pack-"));
    await council(
      "pack",
      "new-run",
      "--judge",
      "j-sol",
      "--seed",
      "8",
      "--root",
      root.folder,
      "--out",
      other,
    );
    const [name = ""] = await readdir(join(other, "packs"));
    const provider = await startProvider(reviews());
    await council(
      "review",
      join(other, "packs", name),
      "--judge",
      "j-sol",
      "--root",
      root.folder,
      "--out",
      other,
      "--base-url",
      provider.url,
    );
    await provider.close();
    await rm(other, { recursive: true });
    const [one, two] = [requests[0], provider.requests[0]].map(
      (request) => request?.body.messages.map(({ content }) => content) ?? [],
    );
    const marker = (text = ""): string => /\[([0-9a-f]{24}) begin contract/.exec(text)?.[1] ?? "";
    expect(marker(one?.[1])).not.toBe("");
    expect(marker(one?.[1])).not.toBe(marker(two?.[1]));
    const criteria = (text = ""): string[] => [...text.matchAll(/^### (.*)$/gm)].map(([, each = ""]) => each);
    expect(criteria(one?.[0])).not.toEqual(criteria(two?.[0]));
    expect(criteria(one?.[0]).toSorted()).toEqual(criteria(two?.[0]).toSorted());
  });

  it("is not asked again by the same command, which writes the same session", async () => {
    const provider = await startProvider(reviews());
    expect((await council(...args(provider))).code).toBe(0);
    const first = JSON.stringify(await session());
    expect((await council(...args(provider))).code).toBe(0);
    await provider.close();
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(await session())).toBe(first);
  });
});

describe("a judge with faults is asked once more, and what is usable is kept", () => {
  const once = (change: (letter: string, index: number) => unknown) => [reviews(change), reviews()];
  const flaw =
    (wrong: (letter: string) => unknown) =>
    (letter: string, index: number): unknown =>
      index === 1 ? wrong(letter) : reviewOf(letter);

  it.each<[string, readonly Reply[], string]>([
    ["no JSON", [says("Here you are!"), reviews()], "The answer is no JSON"],
    ["an empty answer", [says(""), reviews()], "no JSON"],
    ["a list of its own", [says({ scores: [] }), reviews()], 'no list "reviews"'],
    ["a million brackets", [says("[".repeat(1_000_000)), reviews()], "no JSON"],
    ["an answer cut at the limit", [says('{"reviews": [', { finish: "length" }), reviews()], "token limit"],
    ["a refusal", [(request) => complete(request, { refusal: "I will not." }), reviews()], "declined"],
    ["a server error", [(request) => send(request, 500, "application/json", "{}"), reviews()], "http-status"],
    [
      "another content type",
      [(request) => send(request, 200, "text/html", "<p>"), reviews()],
      "content-type",
    ],
    ["a connection that breaks", [(request) => request.response.destroy(), reviews()], "connection"],
    [
      "a body that ends too soon",
      [
        (request) => {
          request.response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
          request.response.write('{"choices": [');
          setTimeout(() => request.response.destroy(), 50);
        },
        reviews(),
      ],
      "connection",
    ],
  ])("%s", async (_, replies) => {
    const { ended, requests } = await review(replies);
    expect(ended.code, ended.err).toBe(0);
    expect(requests).toHaveLength(2);
    expect((await session()).reviews).toHaveLength(letters.length);
  });

  it("asks only for what is lacking, says what was wrong, and keeps the rest of the first answer", async () => {
    const { ended, requests } = await review(
      once((letter, index) => (index === 1 ? reviewOf(letter, 11) : reviewOf(letter, 3))),
    );
    expect(ended.code, ended.err).toBe(0);
    const again = requests[1] as ProviderRequest;
    expect(lettersOf(again)).toEqual([letters[1]]);
    expect(again.body.messages.at(-1)?.content).toContain("is no number from 0 to 10");
    expect(again.body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect((await session()).reviews.map(({ score }) => score)).toEqual([3, 7, 3, 3, 3]);
  });

  it.each<[string, (letter: string) => unknown, string]>([
    ["a score as text", (letter) => reviewOf(letter, "8"), "code-council-answer-score"],
    ["a score out of range", (letter) => reviewOf(letter, -1), "code-council-answer-score"],
    ["a null score", (letter) => reviewOf(letter, null), "code-council-answer-score"],
    ["a wrong letter", () => reviewOf("?!"), "code-council-answer-letter"],
    ["findings that are no list", (letter) => reviewOf(letter, 7, "none"), "code-council-answer-finding"],
  ])("%s, twice: a missing seat, never a zero", async (_, wrong, code) => {
    const { ended, requests } = await review([
      reviews(flaw(wrong)),
      (request) => says({ reviews: lettersOf(request).map(wrong) })(request),
    ]);
    expect(requests).toHaveLength(2);
    expect(ended.code, ended.err).toBe(0);
    expect(ended.err).toContain(code);
    expect(ended.err).toContain("code-council-missing-seat");
    const written = await session();
    expect(written.reviews.map(({ letter }) => letter)).toEqual(letters.filter((_, index) => index !== 1));
    expect(written.missing?.reason).toContain(`No usable review of ${letters[1]}`);
  });

  it("two reviews of one letter: neither is believed", async () => {
    const twice: Reply = (request) =>
      says({
        reviews: [...lettersOf(request), lettersOf(request)[0] ?? ""].map((letter, index) =>
          reviewOf(letter, index),
        ),
      })(request);
    const { ended } = await review([twice]);
    expect(ended.err).toContain("neither is taken");
    expect((await session()).reviews.map(({ letter }) => letter)).toEqual(letters.slice(1));
  });

  it("findings without a known severity are left out and reported; the score stays", async () => {
    const flawed: Reply = (request) =>
      says({
        reviews: lettersOf(request).map((letter) =>
          reviewOf(letter, 6, [foundIn("src/lib.rs", 1), foundIn("src/lib.rs", 1, { severity: "terrible" })]),
        ),
      })(request);
    const { ended } = await review([flawed]);
    expect(ended.code).toBe(0);
    expect(ended.err).toContain("code-council-answer-finding");
    const written = await session();
    expect(written.reviews.map(({ score, findings }) => [score, findings.length])).toEqual(
      letters.map(() => [6, 1]),
    );
  });

  it("findings about files and lines that are not there are kept as written, and reported, without asking again", async () => {
    const { ended, requests } = await review([
      reviews((letter) => reviewOf(letter, 6, [foundIn("src/main.rs", 1), foundIn("src/lib.rs", 999)])),
    ]);
    expect(requests).toHaveLength(1);
    expect(ended.code).toBe(0);
    expect(ended.err).toContain("names a file that the entry does not have");
    expect(ended.err).toContain("names a line past the end");
    expect((await session()).reviews[0]?.findings).toMatchObject([{ file: "src/main.rs" }, { line: 999 }]);
  });
});

describe("a judge that fails", () => {
  it("is a missing seat with its reason, and can be asked anew", async () => {
    const { ended, requests } = await review([says("no")]);
    expect(requests).toHaveLength(2);
    expect(ended.code).toBe(1);
    const written = await session();
    expect(written.reviews).toEqual([]);
    expect(written.missing?.reason).toContain("no JSON");
    expect(written.usage?.requests).toHaveLength(2);
    expect((await review([reviews()])).ended.code).toBe(0);
    expect(await readdir(join(work, "reviews"))).toHaveLength(2);
  });

  it("that is too slow is a timeout, whose cost nobody knows", async () => {
    const { ended } = await review([() => undefined, reviews()], 300);
    expect(ended.code, ended.err).toBe(0);
    const { usage } = await session();
    expect(usage?.assumptions).toEqual(["calls-without-usage-1"]);
    expect(usage?.cost_recorded_usd).toBeNull();
  });

  it("whose account is refused stops the review; it goes on with the same command", async () => {
    const provider = await startProvider((request) =>
      request.number === 1
        ? send(request, 402, "application/json", '{"error":"no credit"}')
        : reviews()(request),
    );
    const ended = await council(...args(provider));
    expect(ended.code).toBe(1);
    expect(ended.err).toContain("run-credit-exhausted");
    expect((await council(...args(provider))).code).toBe(0);
    await provider.close();
    expect(provider.requests).toHaveLength(2);
    expect((await session()).usage?.requests).toHaveLength(1);
  });
});

describe("state survives", () => {
  it("a kill: the recorded answer is not asked for again", async () => {
    let second: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      second = resolve;
    });
    const provider = await startProvider((request) => {
      if (request.number === 1) reviews((letter, index) => reviewOf(letter, index === 0 ? 99 : 4))(request);
      else if (request.number === 2) second();
      else reviews()(request);
    });
    const running = startCouncil(args(provider));
    await arrived;
    running.child.kill("SIGKILL");
    await running.ended;
    const ended = await council(...args(provider));
    await provider.close();
    expect(ended.code, ended.err).toBe(0);
    expect(provider.requests.map((request) => lettersOf(request).length)).toEqual([5, 1, 1]);
    const written = await session();
    expect(written.reviews.map(({ score }) => score)).toEqual([7, 4, 4, 4, 4]);
    expect(written.usage?.assumptions).toEqual(["calls-without-usage-1"]);
  }, 20_000);

  it("Ctrl-C: waits for the call in flight and keeps it", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const provider = await startProvider(async (request) => {
      if (request.number === 1) {
        running.child.kill("SIGINT");
        await held;
      }
      reviews((letter, index) => reviewOf(letter, request.number === 1 && index === 0 ? 99 : 4))(request);
    });
    const running = startCouncil(args(provider));
    setTimeout(release, 3000);
    const ended = await running.ended;
    expect(ended.code).toBe(1);
    expect(ended.err).toContain("code-council-stopped");
    expect((await council(...args(provider))).code).toBe(0);
    await provider.close();
    expect(provider.requests.map((request) => lettersOf(request).length)).toEqual([5, 1]);
  }, 30_000);

  it("other settings do not go on with a review", async () => {
    const provider = await startProvider((request) =>
      request.number === 1 ? send(request, 401, "application/json", "{}") : reviews()(request),
    );
    await council(...args(provider));
    const ended = await council(...args(provider, "--max-tokens", "5"));
    await provider.close();
    expect(ended.err).toContain("code-council-resume");
    expect(provider.requests).toHaveLength(1);
  });
});

describe("what is refused before anybody is asked", () => {
  it("CI, without exception", async () => {
    const ended = await startCouncil(["review", pack, "--judge", "j-sol"], { CI: "true" }).ended;
    expect(ended.code).toBe(1);
    expect(ended.err).toContain("code-council-in-ci");
  });

  it("the key goes into one header, for the address that it is for, and nowhere else", async () => {
    const provider = await startProvider((request) =>
      says(`not JSON but ${request.headers.authorization}`)(request),
    );
    const ended = await startCouncil(args(provider), { OPENAI_API_KEY: "sk-secret-1234567890" }).ended;
    await provider.close();
    expect(provider.requests[0]?.headers.authorization).toBe("Bearer sk-secret-1234567890");
    const [name = ""] = await readdir(join(work, "reviews"));
    const kept = await readFile(join(work, "reviews", name, "journal.jsonl"), "utf8");
    expect(`${kept}${ended.out}${ended.err}${JSON.stringify(await session())}`).not.toContain("sk-secret");
  });

  it.each<[string, () => Promise<string[]>, string]>([
    [
      "another judge than the pack was made for",
      async () => ["--judge", "j-opus", "--out", join(root.folder, ".council")],
      "code-council-judge",
    ],
    ["an unknown judge", async () => ["--judge", "nobody"], "code-data-unknown-judge"],
    ["another model than the judge's", async () => ["--model", "claude-opus-5.5"], "code-council-model"],
    ["an address with a password", async () => ["--base-url", "http://a:b@127.0.0.1/v1"], "run-option"],
  ])("%s", async (_, more, code) => {
    const provider = await startProvider(reviews());
    const ended = await council(...args(provider), ...(await more()));
    await provider.close();
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(code);
    expect(provider.requests).toHaveLength(0);
  });

  it("a pack in which a file was changed, added or removed", async () => {
    const provider = await startProvider(reviews());
    for (const change of [
      (folder: string) => writeFile(join(folder, "SPEC.md"), "# Another\n"),
      (folder: string) => writeFile(join(folder, "hint.txt"), "A is best\n"),
      (folder: string) => rm(join(folder, "rubric.md")),
      async (folder: string) => {
        const file = join(folder, "pack.json");
        await writeFile(file, (await readFile(file, "utf8")).replace('"seed": "7"', '"seed": "9"'));
      },
    ]) {
      const copy = join(work, "copy");
      await rm(copy, { recursive: true, force: true });
      await cp(pack, copy, { recursive: true });
      await change(copy);
      const ended = await council(
        "review",
        copy,
        "--judge",
        "j-sol",
        "--root",
        root.folder,
        "--out",
        work,
        "--base-url",
        provider.url,
      );
      expect(ended.err).toContain("code-council-pack");
    }
    await provider.close();
    expect(provider.requests).toHaveLength(0);
  }, 20_000);
});
