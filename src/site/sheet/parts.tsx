import type { ComponentChildren, JSX } from "preact";
import { safeText } from "../../lib/picture/text.ts";
import { href } from "../site-info.ts";
import { type VendorLook, VendorMark } from "../ui/model-name.tsx";
import { Text } from "../ui/text.tsx";

/** Providers whose name in model ids is not the lab's own id. */
const LAB_OF: Readonly<Record<string, string>> = {
  "meta-llama": "meta",
  moonshotai: "moonshot",
  qwen: "alibaba",
  "x-ai": "xai",
  "z-ai": "zai",
};

/** The lab that a model's id names; null for one that is not known. */
export function vendorOf(model: string, vendors: readonly VendorLook[]): VendorLook | null {
  const provider = model.slice(0, Math.max(0, model.indexOf("/")));
  const lab = LAB_OF[provider] ?? provider;
  return vendors.find(({ id }) => id === lab) ?? null;
}

interface SheetModelProps {
  readonly model: string;
  /** In the registry; null for a model that it does not list. */
  readonly name: string | null;
  readonly vendors: readonly VendorLook[];
  /** Address of its result. */
  readonly link?: string | undefined;
}

/** A model with its lab's mark, its name, and its id where that says something else. */
export function SheetModel({ model, name, vendors, link }: SheetModelProps): JSX.Element {
  const vendor = vendorOf(model, vendors);
  const shown = <Text>{name ?? model}</Text>;
  return (
    <span class="model">
      {vendor === null ? null : <VendorMark vendor={vendor} />}
      <span class={vendor === null ? undefined : "model-name"}>
        {link === undefined ? shown : <a href={link}>{shown}</a>}
      </span>
      {name === null ? null : (
        <>
          {" "}
          <span class="sheet-model-id">
            <Text>{model}</Text>
          </span>
        </>
      )}
    </span>
  );
}

/** Text that a stranger wrote, in letters of one width. */
export const Code = ({ children }: { readonly children: string }): JSX.Element => (
  <code>
    <bdi>{safeText(children)}</bdi>
  </code>
);

/** Words in a table's cell that need room. */
export const Wide = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <span class="sheet-text">{children}</span>
);

/** A second line of a table's cell. */
export const Below = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <>
    {" "}
    <span class="sheet-below">{children}</span>
  </>
);

/** A paragraph's text: what stands in backticks is code. */
export const Prose = ({ children }: { readonly children: string }): JSX.Element => (
  <>
    {safeText(children)
      .split("`")
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
  </>
);

/** Paragraphs of `Prose`. */
export const Paragraphs = ({ texts }: { readonly texts: readonly string[] }): JSX.Element => (
  <>
    {texts.map((text) => (
      <p key={text}>
        <Prose>{text}</Prose>
      </p>
    ))}
  </>
);

/** Names and what they stand for, one below the other. */
export const Facts = ({
  facts,
}: {
  readonly facts: readonly { readonly name: string; readonly value: ComponentChildren }[];
}): JSX.Element => (
  <dl class="sheet-facts">
    {facts.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** A link from one page of the site to another. */
export const To = ({
  from,
  path,
  children,
}: {
  readonly from: string;
  readonly path: string;
  readonly children: ComponentChildren;
}): JSX.Element => <a href={href(from, path)}>{children}</a>;

/** A digest in full, that breaks where it must. */
export const Digest = ({ children }: { readonly children: string }): JSX.Element => <code>{children}</code>;

/** The way from a page back to what it is part of. */
export const Trail = ({
  from,
  steps,
}: {
  readonly from: string;
  readonly steps: readonly { readonly title: string; readonly path: string }[];
}): JSX.Element => (
  <nav class="sheet-trail" aria-label="Where this page belongs">
    <ol>
      {steps.map(({ title, path }) => (
        <li key={path}>
          <To from={from} path={path}>
            <Text>{title}</Text>
          </To>
        </li>
      ))}
    </ol>
  </nav>
);
