/** `text` with lone surrogates replaced by U+FFFD, which no JSON document of ours may hold, cut to `max` characters. */
export function clip(text: string, max: number): string {
  const cut = text.length > max ? text.slice(0, max) : text;
  return cut.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}
