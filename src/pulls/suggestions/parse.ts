/** A part of a comment: text, or lines that are suggested as a replacement for the commented ones. */
export type CommentPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'suggestion'; readonly index: number; readonly lines: readonly string[] };

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*(.*)$/;

/** The parts of a comment in order. Suggestions are fenced blocks whose first word is `suggestion`, as on other servers. */
export function commentParts(body: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let text: string[] = [];
  let suggested: string[] | undefined;
  let fence = '';
  let count = 0;
  const flush = () => {
    if (text.some((line) => line.trim() !== '')) parts.push({ kind: 'text', text: text.join('\n') });
    text = [];
  };
  for (const line of body.replaceAll('\r\n', '\n').split('\n')) {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? [];
    const closes = fence !== '' && mark.startsWith(fence) && rest.trim() === '';
    const opens = fence === '' && mark !== '' && !(mark.startsWith('`') && rest.includes('`'));
    if (suggested && closes) {
      parts.push({ kind: 'suggestion', index: count++, lines: suggested });
      suggested = undefined;
    } else if (suggested) suggested.push(line);
    else if (opens && /^suggestion\b/.test(rest)) {
      flush();
      suggested = [];
    } else text.push(line);
    if (opens) fence = mark;
    else if (closes) fence = '';
  }
  // Without an end it is not a suggestion.
  if (suggested) text.push(`${fence}suggestion`, ...suggested);
  flush();
  return parts;
}

/** The lines of one of a comment's suggestions; undefined if there is no such suggestion. */
export function suggestedLines(body: string, index: number): readonly string[] | undefined {
  for (const part of commentParts(body)) if (part.kind === 'suggestion' && part.index === index) return part.lines;
  return undefined;
}

/** A block that suggests lines; its fence has more backquotes than they do. */
export function suggestionBlock(lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`*)/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return `${fence}suggestion\n${lines.map((line) => `${line}\n`).join('')}${fence}\n`;
}
