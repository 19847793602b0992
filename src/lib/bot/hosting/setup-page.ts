import { APP_EVENTS, APP_PERMISSIONS } from "./app-rights.ts";
import { type AppManifest, type Hosting, WEBHOOK_PATH } from "./manifest.ts";

/** The pages of `npm run bot -- setup`: plain HTML without scripts. All text from outside is escaped. Pure. */

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** Text with `code` in backticks. */
const words = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

export const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
label,fieldset{display:block;margin:1rem 0}input[type=text],input[type=url]{width:100%;padding:.4rem;font:inherit;box-sizing:border-box}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;border-bottom:1px solid #ccc;padding:.35rem .5rem}
button{font:inherit;padding:.5rem 1rem}.problem{border-left:4px solid #b00020;padding:.25rem .75rem}
@media (prefers-color-scheme:dark){body{color:#eee;background:#161616}th,td{border-color:#444}}`;

const page = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1>
${body}
</main></body></html>
`;

export interface SetupForm {
  readonly name: string;
  readonly homepage: string;
  readonly hosting: Hosting;
  readonly webhookUrl: string;
}

/** The first page: who the App is, and where the bot will run. `problem`: what was wrong with the last answer. */
export function renderForm(
  form: SetupForm,
  owner: string,
  action: string,
  problem: string | null = null,
): string {
  const radio = (value: Hosting, text: string): string =>
    `<label><input type="radio" name="hosting" value="${value}"${form.hosting === value ? " checked" : ""}> ${words(text)}</label>`;
  return page(
    "A GitHub App for Assay",
    `<p>${words(`The App will belong to ${owner}. Nothing happens before you confirm it on GitHub.`)}</p>
${problem === null ? "" : `<p class="problem" role="alert">${words(problem)}</p>`}
<form method="post" action="${escaped(action)}">
<label>Name, free on all of GitHub
<input type="text" name="name" required maxlength="34" value="${escaped(form.name)}"></label>
<label>Page about it, usually the repository's
<input type="url" name="homepage" required value="${escaped(form.homepage)}"></label>
<fieldset><legend>Where the bot runs</legend>
${radio("actions", "in Actions only, `.github/workflows/office.yml`: no server, an answer within minutes")}
${radio("server", "on a server of yours: an answer within seconds")}
<label>For a server: its public address, <code>https</code>. Without a path it becomes <code>${escaped(WEBHOOK_PATH)}</code>
<input type="url" name="webhook" value="${escaped(form.webhookUrl)}" placeholder="https://assay.example.org"></label></fieldset>
<button>Look at what GitHub will be asked for</button>
</form>`,
  );
}

/** The second page: everything that the App will be, and the button that leads to GitHub. */
export function renderReview(manifest: AppManifest, action: string): string {
  const row = (...cells: string[]): string =>
    `<tr>${cells.map((cell) => `<td>${words(cell)}</td>`).join("")}</tr>`;
  const hook = manifest.hook_attributes.active
    ? `Webhooks go to \`${manifest.hook_attributes.url}\`.`
    : "Its webhook is off.";
  return page(
    `${manifest.name}: what GitHub will be asked for`,
    `<p>${words(hook)} Only the account that owns it can install it.</p>
<table><tr><th>Permission</th><th>Level</th><th>For</th></tr>
${APP_PERMISSIONS.map(({ title, level, reason }) => row(title, level, reason)).join("\n")}</table>
<table><tr><th>Event</th><th>Says</th></tr>
${APP_EVENTS.map(({ title, reason }) => row(title, reason)).join("\n")}</table>
<form method="post" action="${escaped(action)}">
<input type="hidden" name="manifest" value="${escaped(JSON.stringify(manifest))}">
<p><button>Go on to GitHub</button></p>
</form>`,
  );
}

/** One message. */
export const renderMessage = (title: string, text: string): string => page(title, `<p>${words(text)}</p>`);
