import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { postConversion } from "../src/io/github/conversions.ts";
import { type Conversion, conversionProblems, isCode } from "../src/lib/bot/hosting/conversion.ts";
import {
  type Hosting,
  nameProblem,
  newAppUrl,
  parseWebhookUrl,
  renderManifest,
} from "../src/lib/bot/hosting/manifest.ts";
import {
  renderForm,
  renderMessage,
  renderReview,
  type SetupForm,
  STYLE,
} from "../src/lib/bot/hosting/setup-page.ts";

/**
 * The page of `npm run bot -- setup`. It listens on 127.0.0.1 only, and trusts a request because of what it knows, never
 * because of where it comes from: the form lies under a secret path, an answer of the form must come from the page itself,
 * GitHub's answer must bring the `state` back, and every request must be addressed to 127.0.0.1 by that name, so that
 * another site's page cannot speak to it under a name that it made point here.
 */

export interface SetupOptions {
  /** Of GitHub's pages: `https://github.com`. */
  readonly webOrigin: string;
  /** Of its API: `https://api.github.com`. */
  readonly apiBase: string;
  readonly organisation: string | null;
  readonly name: string;
  readonly homepage: string;
  /** 0: a free one. */
  readonly port: number;
  /** Keeps what came. Resolves to null, or to what went wrong. */
  readonly keep: (app: Conversion) => Promise<string | null>;
}

export type SetupResult =
  | { readonly created: true; readonly app: Conversion; readonly hosting: Hosting }
  | { readonly created: false; readonly reason: string };

export interface SetupServer {
  /** What the person opens. */
  readonly url: string;
  /** Resolves when an App was made and kept, or when something went wrong that the page cannot mend. */
  readonly result: Promise<SetupResult>;
  close(): Promise<void>;
}

const BODY_BYTES = 16 * 1024;
const secret = (): string => randomBytes(24).toString("hex");
const styleHash = createHash("sha256").update(STYLE).digest("base64");

interface Page {
  readonly status: number;
  readonly html: string;
}

/** What was shown for review and has not come back from GitHub. */
interface Pending {
  readonly state: string;
  readonly hosting: Hosting;
}

const refusal = (status: number, title: string, text: string): Page => ({
  status,
  html: renderMessage(title, text),
});
const NOT_FOUND = refusal(404, "Nothing here", "Open the address that the terminal shows.");

/** In constant time; texts of other lengths differ. */
const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** @throws when the port is taken. */
export async function startSetupServer(options: SetupOptions): Promise<SetupServer> {
  const room = `/${secret()}/`;
  let pending: Pending | null = null;
  let exchanging = false;
  let resolveResult: (result: SetupResult) => void = () => undefined;
  const result = new Promise<SetupResult>((resolve) => {
    resolveResult = resolve;
  });
  const owner =
    options.organisation === null ? "your own account" : `the organisation ${options.organisation}`;
  const form = (answers: Partial<SetupForm>, problem: string | null): Page => ({
    status: problem === null ? 200 : 422,
    html: renderForm(
      { name: options.name, homepage: options.homepage, hosting: "actions", webhookUrl: "", ...answers },
      owner,
      `${room}review`,
      problem,
    ),
  });

  const review = (origin: string, answers: URLSearchParams): Page => {
    const given: SetupForm = {
      name: (answers.get("name") ?? "").trim(),
      homepage: (answers.get("homepage") ?? "").trim(),
      hosting: answers.get("hosting") === "server" ? "server" : "actions",
      webhookUrl: (answers.get("webhook") ?? "").trim(),
    };
    const webhookUrl = given.hosting === "server" ? parseWebhookUrl(given.webhookUrl) : null;
    const problem =
      nameProblem(given.name) ??
      (/^https?:\/\/[^\s]+$/.test(given.homepage) && URL.canParse(given.homepage)
        ? null
        : "The page about it must be an address that starts with `https://`.") ??
      (given.hosting === "server" && webhookUrl === null
        ? "A server needs its public address, `https`, without a user name or password in it."
        : null);
    if (problem !== null) return form(given, problem);
    // Each review has a state of its own; an older page's is worth nothing from now on.
    pending = { state: secret(), hosting: given.hosting };
    const manifest = renderManifest({ ...given, webhookUrl, redirectUrl: `${origin}/created` });
    return {
      status: 200,
      html: renderReview(manifest, newAppUrl(options.webOrigin, options.organisation, pending.state)),
    };
  };

  const created = async (query: URLSearchParams): Promise<Page> => {
    const [code, state] = [query.get("code") ?? "", query.get("state") ?? ""];
    if (pending === null || !same(state, pending.state)) {
      return refusal(
        400,
        "This answer was not asked for",
        "It does not carry what this page sent along, or was used already. Nothing was done. Start again at the address that the terminal shows.",
      );
    }
    if (!isCode(code))
      return refusal(400, "There is no code", "GitHub's answer lacks a code. Nothing was done.");
    if (exchanging) return refusal(409, "One moment", "The same answer is being worked on already.");
    const asked = pending;
    exchanging = true;
    const answer = await postConversion(options.apiBase, code);
    exchanging = false;
    if (answer.outcome === "unknown") {
      return refusal(
        502,
        "GitHub gave no usable answer",
        `${answer.reason}. Load this page again to ask once more. If that is refused, the App exists and its key was lost on the way: delete the App on GitHub and start again.`,
      );
    }
    if (pending === asked) pending = null;
    if (answer.outcome === "refused") {
      return refusal(
        400,
        "GitHub does not take this code",
        "It was used already, is older than an hour, or came from elsewhere. Nothing was written. Start again at the address that the terminal shows.",
      );
    }
    // Without a server nobody needs the webhook's secret.
    const app = asked.hosting === "server" ? answer.app : { ...answer.app, webhook_secret: null };
    const problems = conversionProblems(app, options);
    if (problems.length > 0) {
      const reason = `The App ${app.slug} is not the one that was asked for: ${problems.join("; ")}. Nothing was written.`;
      resolveResult({ created: false, reason });
      return refusal(400, "This is another App", reason);
    }
    const failed = await options.keep(app);
    if (failed !== null) {
      const reason = `The App ${app.slug} exists on GitHub, but its key could not be kept: ${failed} Delete the App there and start again, or make a new key in its settings.`;
      resolveResult({ created: false, reason });
      return refusal(500, "The key could not be kept", reason);
    }
    resolveResult({ created: true, app, hosting: asked.hosting });
    return {
      status: 200,
      html: renderMessage(
        `The App ${app.slug} is there`,
        "Its key is kept on this machine. The terminal says what comes next; this page can be closed.",
      ),
    };
  };

  const respond = async (request: IncomingMessage, port: number): Promise<Page> => {
    const origin = `http://127.0.0.1:${port}`;
    if (request.headers.host !== `127.0.0.1:${port}`) {
      return refusal(421, "Not under this name", `This page is only to be had as \`${origin}\`.`);
    }
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    if (path === "/created" && request.method === "GET") return created(new URLSearchParams(query));
    if (!same(path.slice(0, room.length), room)) return NOT_FOUND;
    const rest = path.slice(room.length);
    if (rest === "" && request.method === "GET") return form({}, null);
    if (rest !== "review" || request.method !== "POST") return NOT_FOUND;
    if (request.headers.origin !== origin) {
      return refusal(403, "Not from this page", "The form was sent by another page.");
    }
    if (!/^application\/x-www-form-urlencoded\b/.test(request.headers["content-type"] ?? "")) {
      return refusal(415, "Not a form", "This is not how the form is sent.");
    }
    const body = await readBody(request);
    return body === null
      ? refusal(413, "Too long", "No answer is so long.")
      : review(origin, new URLSearchParams(body));
  };

  const server = createServer((request, response) => {
    respond(request, portOf())
      .catch(() => refusal(500, "Something failed", "The request could not be worked on."))
      .then((page) => send(response, page, options.webOrigin))
      .catch(() => response.destroy());
  });
  const portOf = (): number => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : options.port;
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf()}${room}`,
    result,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // The last page may still be on its way: idle connections go at once, others when they are done.
        server.closeIdleConnections();
      }),
  };
}

/** No script runs, nothing is fetched, nobody frames it, nothing is kept; forms go to this page and to GitHub only. */
function send(response: ServerResponse, { status, html }: Page, webOrigin: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self' ${webOrigin}; frame-ancestors 'none'; base-uri 'none'`,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    // The secret path stays here, and a form's Origin is still told.
    "referrer-policy": "strict-origin",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(html);
}

/** Null when it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
