import type { JSX } from "preact";
import { type SiteInfo, sourceAddress } from "../site-info.ts";

interface EvidenceProps {
  readonly site: SiteInfo;
  /** Of a committed file, or with `kind` "tree" of a folder. */
  readonly path: string;
  readonly kind?: "blob" | "tree";
  /** `sha256:…` of the document's canonical bytes. */
  readonly digest?: string;
}

/** The committed document that a number comes from: a link where the hoster is known, and its digest. */
export function Evidence({ site, path, kind = "blob", digest }: EvidenceProps): JSX.Element {
  const address = sourceAddress(site, path, kind);
  return (
    <span class="evidence">
      {address === null ? <code>{path}</code> : <a href={address}>{path}</a>}
      {digest === undefined ? null : (
        <>
          {" "}
          <code class="digest" title={digest}>
            {digest}
          </code>
        </>
      )}
    </span>
  );
}
