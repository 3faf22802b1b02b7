import { RenderLimitError, withDeadline } from '../../../markup/deadline.ts';
import { highlight } from '../../../markup/highlight.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { markHidden } from './hidden-characters.ts';
import { markLookAlikes } from './look-alikes.ts';

/** Longer sources are shown without colours: grammars take a second and more for them. */
const MAX_HIGHLIGHTED = 1024 * 1024;

/**
 * A source as HTML, a line of it for each line of the source, every line whole in itself: spans that go over several lines are closed
 * and opened again, hidden characters and those that look like others marked. Without colours where there is no grammar, or where it takes too long.
 * @param deadlineMs how long the grammar may take
 * @throws RenderLimitError when that is over, if `strict`
 */
export function highlightLines(source: string, grammar: string, deadlineMs: number, { strict = false } = {}): string {
  return markHidden(markLookAlikes(coloured(source, grammar, deadlineMs, strict)));
}

function coloured(source: string, grammar: string, deadlineMs: number, strict: boolean): string {
  if (grammar === '' || source.length > MAX_HIGHLIGHTED) return escapeHtml(source);
  try {
    const marked = withDeadline(source.length, deadlineMs, () => highlight(source, grammar));
    return marked === undefined ? escapeHtml(source) : wholeLines(marked);
  } catch (error) {
    if (!(error instanceof RenderLimitError) || strict) throw error;
    return escapeHtml(source);
  }
}

function wholeLines(marked: string): string {
  const open: string[] = [];
  return marked.replace(/<span[^>]*>|<\/span>|\n/g, (part) => {
    if (part === '\n') return `${'</span>'.repeat(open.length)}\n${open.join('')}`;
    if (part === '</span>') open.pop();
    else open.push(part);
    return part;
  });
}
