/**
 * Splits a command as a person types it into program and arguments: at spaces, except between `'…'` or `"…"`; nothing is
 * expanded and no shell runs. Null when a quote stays open or nothing is there.
 */
export function splitCommand(text: string): readonly string[] | null {
  const words: string[] = [];
  const word = /\s*((?:[^\s'"]+|'[^']*'|"[^"]*")+)/y;
  let end = 0;
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    end = word.lastIndex;
    words.push(
      (match[1] ?? "").replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double ?? ""),
    );
  }
  return words.length > 0 && text.slice(end).trim() === "" ? words : null;
}
