/** Reading rendered HTML in tests: it comes from one renderer, so plain patterns do. */

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };

/** The words of a piece of HTML, hidden ones and tips too. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<(?:br|\/?(?:p|li|div|h[1-6]|dt|dd|t[dhr]|summary|button|ul))[^>]*>/g, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/[ \n]+/g, " ")
    .trim();

/** The elements of a name, their attributes containing something; without elements of the same name inside. */
export const parts = (html: string, name: string, attribute = ""): string[] =>
  [...html.matchAll(new RegExp(`<${name}(?=[\\s>])([^>]*)>(.*?)</${name}>`, "gs"))].flatMap(
    ([whole, attributes = ""]) => (attributes.includes(attribute) ? [whole] : []),
  );

/** The text of every cell, by row, of the bodies of all tables. */
export const rowsIn = (html: string): string[][] =>
  parts(html, "tbody").flatMap((body) =>
    parts(body, "tr").map((row) =>
      [...row.matchAll(/<(td|th)(?=[\s>])[^>]*>(.*?)<\/\1>/gs)].map(([, , cell = ""]) => textOf(cell)),
    ),
  );
