import type { Context } from '../../../context.ts';
import { WorkerLimitError } from '../../../workers/errors.ts';
import { Html, html } from '../../html.ts';
import type { View } from '../../view.ts';
import type * as task from './compare-task.ts';

const TASK = new URL('./compare-task.ts', import.meta.url);
const DEADLINE_MS = 5_000;
const SIGNS = { added: '+', removed: '-', context: ' ' } as const;

/** The diff of two versions of a text as a table, or a sentence if they are equal or the comparison takes too long. */
export async function comparison({ workers }: Context, view: View, texts: task.TwoTexts): Promise<Html> {
  const { history: text } = view.text;
  try {
    const parts = await workers.run<typeof task>(TASK, texts, { deadlineMs: DEADLINE_MS });
    if (parts.every(({ lines }) => lines.length === 0)) return html`<p class="empty">${text.nothingDiffers}</p>`;
    return html`<table class="diff texts" aria-label="${text.changes}"><colgroup><col class="s"><col></colgroup><tbody>${parts.map((part) => partRows(view, part))}</tbody></table>`;
  } catch (error) {
    if (error instanceof WorkerLimitError) return html`<p class="empty">${text.tooLarge}</p>`;
    throw error;
  }
}

function partRows(view: View, { skipped, lines }: task.ComparedPart): Html {
  const gap = html`<tr class="hunk"><td colspan="2">${view.text.history.sameLines(skipped)}</td></tr>`;
  const rows = lines.map(
    (line) => `<tr class="${line.kind}"><td class="s">${SIGNS[line.kind]}</td><td class="c"><code>${line.html}</code></td></tr>`,
  );
  return html`${skipped > 0 && gap}${new Html(rows.join(''))}`;
}
