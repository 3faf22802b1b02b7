import { RenderLimitError, withDeadline } from '../../../markup/deadline.ts';
import { highlight } from '../../../markup/highlight.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { markHidden } from './hidden-characters.ts';
import { markLookAlikes } from './look-alikes.ts';

/** Longer sources are shown without colours: grammars take a second and more for them. */
const MAX_HIGHLIGHTED = 1024 * 1024;

/**
 * A source as HTML, line by line. Every line is complete: spans over several lines are closed
 * and reopened; hidden characters and look-alikes are marked. Without colors if there is no grammar, or if it takes too long.
 * @param deadlineMs time limit of the grammar
 * @throws RenderLimitError after that time, if `strict`
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
