import type { ComponentChildren, JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import { safeText } from "../../lib/picture/text.ts";
import { PICTURE_SIZE } from "../picture-paths.ts";
import { href, pullAddress, type SiteInfo } from "../site-info.ts";

export type Section = "start" | "code" | "sheet" | "history" | "methodology";

/** Everything that a page says of itself, and its contents. */
export interface Page {
  /** Path from the site's root, `code/index.html` say. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly section: Section;
  /** Whether any of its numbers was made by a generator. */
  readonly synthetic?: boolean;
  /** Scripts beside the one of every page, from the site's root. */
  readonly scripts?: readonly string[];
  /** Picture for links to it, from the site's root. */
  readonly picture?: string;
  /** Data for its scripts, by the id of the element that holds them. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly body: ComponentChildren;
}

export interface NavItem {
  readonly section: Section;
  readonly title: string;
  readonly path: string;
}

/** What stands around every page's contents. */
export interface Frame {
  /** The pages that every page leads to, in order. */
  readonly nav: readonly NavItem[];
  /** Further pages, at the foot of every page. */
  readonly foot: readonly Pick<NavItem, "title" | "path">[];
  /** Path of the Atom feed; null without one. */
  readonly feed: string | null;
}

/** For a page that stands alone. */
export const NO_FRAME: Frame = { nav: [], foot: [], feed: null };

/** A page as a whole HTML document. The same page gives the same bytes. */
export const renderDocument = (page: Page, site: SiteInfo, frame: Frame): string =>
  `<!doctype html>\n${renderToString(<Document page={page} site={site} frame={frame} />)}\n`;

/** Only what the site itself brings runs or is shown. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'";

interface DocumentProps {
  readonly page: Page;
  readonly site: SiteInfo;
  readonly frame: Frame;
}

function Document({ page, site, frame }: DocumentProps): JSX.Element {
  const to = (path: string): string => href(page.path, path);
  const title = safeText(page.title);
  const full = page.section === "start" ? title : `${title} · Assay`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* A preview is opened from a folder, where no origin is anybody's own. */}
        {site.preview === null ? <meta http-equiv="Content-Security-Policy" content={POLICY} /> : null}
        <title>{full}</title>
        <meta name="description" content={safeText(page.description)} />
        <meta name="color-scheme" content="light dark" />
        <meta property="og:type" content="website" />
        <meta property="og:title" content={full} />
        <meta property="og:description" content={safeText(page.description)} />
        {site.url === null ? null : (
          <>
            <link rel="canonical" href={`${site.url}${page.path}`} />
            <meta property="og:url" content={`${site.url}${page.path}`} />
            {page.picture === undefined ? null : (
              <>
                <meta property="og:image" content={`${site.url}${page.picture}`} />
                <meta property="og:image:width" content={String(PICTURE_SIZE.width)} />
                <meta property="og:image:height" content={String(PICTURE_SIZE.height)} />
                <meta property="og:image:alt" content="Who is first on a board, and whether that is clear" />
                <meta name="twitter:card" content="summary_large_image" />
              </>
            )}
          </>
        )}
        <link rel="icon" href={to("assets/icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={to("assets/site.css")} />
        <link rel="stylesheet" href={to("assets/vendors.css")} />
        {frame.feed === null ? null : (
          <link
            rel="alternate"
            type="application/atom+xml"
            title="What changed on the boards"
            href={to(frame.feed)}
          />
        )}
        {["assets/page.js", ...(page.scripts ?? [])].map((script) => (
          <script key={script} type="module" src={to(script)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the contents
        </a>
        <header class="top">
          <a class="home" href={to("index.html")}>
            Assay
          </a>
          <nav aria-label="Boards and pages">
            <ul>
              {frame.nav.map((item) => (
                <li key={item.path}>
                  <a href={to(item.path)} aria-current={currentOf(item, page)}>
                    {item.title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </header>
        <Banners page={page} site={site} />
        <main id="main" tabIndex={-1}>
          {page.body}
        </main>
        <Foot site={site} frame={frame} to={to} />
        {Object.entries(page.data ?? {}).map(([id, data]) => (
          <script
            key={id}
            type="application/json"
            id={id}
            dangerouslySetInnerHTML={{ __html: jsonText(data) }}
          />
        ))}
      </body>
    </html>
  );
}

const currentOf = (item: NavItem, page: Page): "page" | "true" | undefined =>
  item.path === page.path ? "page" : item.section === page.section ? "true" : undefined;

/** JSON that can stand in a script element: nothing in it ends the element. */
const jsonText = (data: unknown): string => JSON.stringify(data).replaceAll("<", "\\u003c");

function Banners({ page, site }: Pick<DocumentProps, "page" | "site">): JSX.Element | null {
  const { preview } = site;
  if (preview === null && page.synthetic !== true) return null;
  const address = preview === null ? null : pullAddress(site, preview.pull);
  return (
    <aside class="banners" aria-label="About these pages">
      {page.synthetic === true ? (
        <p class="banner" role="note">
          <strong>Synthetic data.</strong> A generator made these numbers to show the board; they are no
          results of any model.
        </p>
      ) : null}
      {preview === null ? null : (
        <p class="banner" role="note">
          <strong>Preview</strong> of what pull request{" "}
          {address === null ? `#${preview.pull}` : <a href={address}>#{preview.pull}</a>} would change, at{" "}
          <code>{preview.head.slice(0, 12)}</code>. It is not on the board.
        </p>
      )}
    </aside>
  );
}

interface FootProps {
  readonly site: SiteInfo;
  readonly frame: Frame;
  readonly to: (path: string) => string;
}

function Foot({ site, frame: { foot, feed }, to }: FootProps): JSX.Element {
  const links = [...foot, ...(feed === null ? [] : [{ title: "Atom feed", path: feed }])];
  return (
    <footer class="foot">
      <p>
        Every number here was computed by code of the main branch from committed evidence
        {site.commit === null ? null : (
          <>
            {" "}
            at <code>{site.commit.slice(0, 12)}</code>
          </>
        )}
        .
      </p>
      {links.length === 0 ? null : (
        <ul>
          {links.map(({ title, path }) => (
            <li key={path}>
              <a href={to(path)}>{title}</a>
            </li>
          ))}
        </ul>
      )}
    </footer>
  );
}
