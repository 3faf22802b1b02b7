import type { Context } from '../../../context.ts';
import type { ChangedFile } from '../../../git/diff/changes.ts';
import { WorkerLimitError } from '../../../workers/errors.ts';
import { type Html, html } from '../../html.ts';
import type { View } from '../../view.ts';
import { decodeFile } from '../file/decode.ts';
import { isTable } from '../file/table.ts';
import { type Diff, objectsOf } from './source.ts';
import type * as task from './table-diff-task.ts';

const TASK = new URL('./table-diff-task.ts', import.meta.url);
/** Longer tables are only shown as text. */
const MAX_TEXT = 512 * 1024;
/** Maximum number of tables of a page; further ones are shown as text. */
export const MAX_TABLES = 10;
const DEADLINE_MS = 2000;

/** The diff of two versions of a table file, as a table; empty for other and for too long files. */
export async function tableDiff(view: View, context: Context, diff: Diff, file: ChangedFile): Promise<Html | undefined> {
  if (!isTable(file.path) || file.binary || diff.folded.has(file.path)) return undefined;
  const sides = [file.status === 'added' ? undefined : file.oldOid, file.status === 'removed' ? undefined : file.oid];
  const texts: (string | undefined)[] = [];
  for (const oid of sides) {
    const text = oid === undefined ? undefined : await textOf(context, diff, oid);
    if (oid !== undefined && text === undefined) return undefined;
    texts.push(text);
  }
  const [before, after] = texts;
  const separator = /\.tsv$/i.test(file.path) ? '\t' : undefined;
  const compared = await compare(context, { before, after, separator });
  const [head, ...rest] = compared?.rows ?? [];
  if (!compared || !head) return undefined;
  const { diff: text } = view.text;
  const width = head.cells.length + 2;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${view.text.source.valuesOf(file.path)}"><table class="values table-diff"><thead>${rowView(view, head, 'th')}</thead>
<tbody>${rest.map((row) => html`${row.hasGap && html`<tr class="gap"><td colspan="${width}">…</td></tr>`}${rowView(view, row, 'td')}\n`)}</tbody></table></div>
${compared.isCut && html`<p class="content muted">${text.truncated}</p>`}`;
}

/** The comparison; undefined if it takes too long. */
async function compare(context: Context, request: task.TableDiffRequest): Promise<task.TableDiff | undefined> {
  try {
    return await context.workers.run<typeof task>(TASK, request, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (error instanceof WorkerLimitError) return undefined;
    throw error;
  }
}

async function textOf({ git }: Context, diff: Diff, oid: string): Promise<string | undefined> {
  const folder = objectsOf({ git }, diff.source);
  const info = await git.pool.info(folder, oid);
  if (!info || info.size > MAX_TEXT) return undefined;
  const blob = await git.pool.read(folder, oid, { maxSize: MAX_TEXT });
  return blob && decodeFile(blob.data)?.text;
}

function rowView(view: View, { before, after, cells }: task.TableRow, tag: 'th' | 'td'): Html {
  const state = before === undefined ? 'added' : after === undefined ? 'removed' : '';
  return html`<tr class="${state}"><td class="n">${before}</td><td class="n">${after}</td>${cells.map((cell) => cellView(view, cell, tag))}</tr>`;
}

function cellView({ text: { diff: text } }: View, { kind, before, after }: task.TableCell, tag: 'th' | 'td'): Html {
  const removed = html`<del title="${text.removed}">${before}</del>`;
  const added = html`<ins title="${text.added}">${after}</ins>`;
  const content = kind === 'same' ? after : kind === 'removed' ? removed : kind === 'added' ? added : html`${removed} ${added}`;
  return tag === 'th' ? html`<th scope="col" class="${kind}">${content}</th>` : html`<td class="${kind}">${content}</td>`;
}
