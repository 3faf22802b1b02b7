/**
 * Adds a trailer to a message, unless it exists: after the trailers at the end, else as a paragraph of its own.
 * See https://git-scm.com/docs/git-interpret-trailers
 */
export function addTrailer(message: string, key: string, value: string): string {
  const line = `${key}: ${value}`;
  const text = message.replace(/\r\n?/g, '\n');
  if (`${text}\n`.includes(`\n${line}\n`)) return text;
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  return `${ended}${ended.endsWith('\n\n') || endsWithTrailer(ended) ? '' : '\n'}${line}`;
}

/** A title is not a trailer, whatever it looks like; nor is a message without a hyphen, which all our trailers have. */
function endsWithTrailer(text: string): boolean {
  const lines = text.slice(0, -1).split('\n');
  const [, key = ''] = /^([^:]*):/.exec(lines.at(-1) ?? '') ?? [];
  return lines.length > 1 && text.includes('-') && /^\p{Lu}[\p{L}\p{Nd}-]*$/u.test(key);
}
