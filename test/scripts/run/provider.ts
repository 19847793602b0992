import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ProviderRequest {
  /** From 1, over the life of the server. */
  readonly number: number;
  /** When it had arrived, in monotonic milliseconds. */
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [key: string]: unknown;
  };
  readonly response: ServerResponse;
}

export interface Provider {
  readonly url: string;
  readonly requests: readonly ProviderRequest[];
  close(): Promise<void>;
}

/** An OpenAI-compatible server of the test's own, which counts what reaches it. */
export async function startProvider(
  reply: (request: ProviderRequest) => void | Promise<void>,
): Promise<Provider> {
  const requests: ProviderRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const request = {
      number: requests.length + 1,
      at: performance.now(),
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: JSON.parse(Buffer.concat(chunks).toString("utf8")) as ProviderRequest["body"],
      response,
    };
    requests.push(request);
    response.on("error", () => undefined);
    await reply(request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Completion {
  readonly content?: string | null;
  readonly refusal?: string;
  readonly finish?: string;
  readonly cost?: number;
}

/** A completion's body as providers send it; the generation id follows from the question. */
export const completionBody = (
  request: ProviderRequest,
  { content = null, refusal, finish = "stop", cost }: Completion,
): string =>
  JSON.stringify({
    id: `gen-${request.body.messages.length}-${request.body.messages.at(-1)?.content.length ?? 0}`,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: finish,
        message: { role: "assistant", content, ...(refusal === undefined ? {} : { refusal }) },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, ...(cost === undefined ? {} : { cost }) },
  });

export function send(request: ProviderRequest, status: number, type: string, body: string): void {
  request.response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  request.response.end(body);
}

export const complete = (request: ProviderRequest, completion: Completion): void =>
  send(request, 200, "application/json", completionBody(request, completion));

/** The task that a request asks about. */
export const taskOf = (request: ProviderRequest): string =>
  /^Task: (.*)$/m.exec(request.body.messages.find(({ role }) => role === "user")?.content ?? "")?.[1] ?? "";
