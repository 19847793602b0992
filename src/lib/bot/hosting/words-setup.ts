import type { Hosting } from "./manifest.ts";

/** What `npm run bot -- setup` says at the end: what comes next, in order. No secret is in it. Pure. */

export interface NextSteps {
  readonly slug: string;
  /** The App's page. */
  readonly appPage: string;
  readonly webOrigin: string;
  readonly organisation: string | null;
  /** The App's owner, who is also the only account that can install it. */
  readonly owner: string;
  /** `owner/name`; null when it is not known. */
  readonly repository: string | null;
  readonly hosting: Hosting;
  /** Whether a webhook secret came along. */
  readonly hasWebhookSecret: boolean;
  readonly rulesetFiles: readonly string[];
}

export function renderNextSteps(steps: NextSteps): string[] {
  const { webOrigin, repository } = steps;
  const repositoryPage = `${webOrigin}/${repository ?? `${steps.owner}/<repository>`}`;
  const appSettings =
    steps.organisation === null
      ? `${webOrigin}/settings/apps/${steps.slug}`
      : `${webOrigin}/organizations/${steps.organisation}/settings/apps/${steps.slug}`;
  const hosted =
    steps.hosting === "actions"
      ? [
          `In ${repositoryPage}/settings/environments make the environment assay-office, limited to the default branch, and give it the secrets ASSAY_APP_ID and ASSAY_PRIVATE_KEY; in ${repositoryPage}/settings/variables/actions set ASSAY_OFFICE to actions. docs/operations.md has the commands.`,
        ]
      : [
          ...(steps.hasWebhookSecret
            ? []
            : [
                `GitHub gave no webhook secret: set one in ${appSettings}, and WEBHOOK_SECRET in .env to the same.`,
              ]),
          "Start the bot on the server with this .env beside it: npm run bot",
        ];
  return [
    `The App ${steps.slug} is there: ${steps.appPage}`,
    "Its id and key are in .env, readable by you alone. Next (docs/operations.md says why, and how to see that it worked):",
    ...[
      `Install it on the repository, and on no other: ${appSettings}/installations`,
      `Import the rulesets in ${repositoryPage}/settings/rules: ${steps.rulesetFiles.join(", ")}`,
      ...hosted,
      "See what is missing: npm run bot -- check",
    ].map((text, index) => `${index + 1}. ${text}`),
  ];
}
