import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** What the model that is none was asked. */
export interface ScriptedQuestion {
  readonly model: string;
  /** The brief, as the harness passed it on. */
  readonly brief: string;
}

export interface ScriptedApi {
  readonly origin: string;
  readonly key: string;
  close(): Promise<void>;
}

/** Tokens of an answer are its characters divided by this: numbers that a reader can check. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * A server on loopback that speaks the streaming form of OpenAI's chat completions and answers with the files that `answer` gives. It stands in
 * for a model in tests and rehearsals: nothing it says is a result.
 */
export async function startScriptedApi(
  answer: (
    question: ScriptedQuestion,
  ) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>,
): Promise<ScriptedApi> {
  const key = "scripted-key-of-no-provider";
  const server = createServer((request, response) => {
    reply(request, response, key, answer).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    key,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  key: string,
  answer: Parameters<typeof startScriptedApi>[0],
): Promise<void> {
  if (request.headers.authorization !== `Bearer ${key}`) return void response.writeHead(401).end();
  if (request.url !== "/v1/chat/completions") return void response.writeHead(404).end();
  const body = await text(request);
  const { model, messages } = JSON.parse(body) as { model: string; messages: { content: string }[] };
  const content = JSON.stringify({ files: await answer({ model, brief: messages.at(-1)?.content ?? "" }) });
  const event = (part: object): string =>
    `data: ${JSON.stringify({ id: "chatcmpl-scripted-1", object: "chat.completion.chunk", model, ...part })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const middle = Math.floor(content.length / 2);
  for (const piece of [content.slice(0, middle), content.slice(middle)])
    response.write(event({ choices: [{ index: 0, delta: { content: piece } }] }));
  const usage = {
    prompt_tokens: Math.ceil(body.length / CHARACTERS_PER_TOKEN),
    completion_tokens: Math.ceil(content.length / CHARACTERS_PER_TOKEN),
    prompt_tokens_details: { cached_tokens: 0 },
  };
  response.end(`${event({ choices: [], usage })}data: [DONE]\n\n`);
}
