/** Length limit of a text that other sites show with a link in characters. */
const MAX_SHOWN = 300;
/** A few of them are white space or marks. */
const MAX_LOOKED_AT = 10 * MAX_SHOWN;

/** The beginning of a text in one line, for link previews on other sites. */
export function summaryText(text: string): string {
  const line = text.slice(0, MAX_LOOKED_AT).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).trimEnd()}…` : line;
}
