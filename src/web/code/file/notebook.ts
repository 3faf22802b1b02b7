import type { Context } from '../../../context.ts';
import { Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import type { Location } from '../location.ts';
import { renderText } from '../readme.ts';
import { highlighted } from '../source/highlighted.ts';
import type * as task from './notebook-task.ts';

const TASK = new URL('./notebook-task.ts', import.meta.url);

/** The cells of a Jupyter notebook; undefined if the file is none. */
export async function notebookView(visit: RepositoryVisit, context: Context, location: Location, text: string): Promise<Html | undefined> {
  const notebook = await context.workers.run<typeof task>(TASK, text);
  if (!notebook) return undefined;
  const { cells, language, more } = notebook;
  const sources = cells.map(({ kind, text }) => ({ text: kind === 'code' ? text : '', grammar: language }));
  const codes = await highlighted(context, sources);
  const shown: Html[] = [];
  for (const [index, cell] of cells.entries()) shown.push(await cellView(visit, context, location, cell, codes[index] ?? ''));
  return html`<div class="notebook">${shown}${more && html`<p class="muted">${visit.view.text.code.moreCells}</p>`}</div>`;
}

async function cellView(
  visit: RepositoryVisit,
  context: Context,
  location: Location,
  cell: task.NotebookCell,
  code: string,
): Promise<Html> {
  const { text } = visit.view;
  if (cell.kind === 'markdown') return renderText(visit, context, { ...location, path: `${location.path}.md` }, cell.text);
  const source = cell.kind === 'code' ? new Html(code) : cell.text;
  return html`<pre class="cell chroma" tabindex="0"><code>${source}</code></pre>
${cell.outputs.map((output) =>
  'image' in output
    ? html`<img src="${output.image}" alt="${text.code.output}">`
    : html`<pre class="output" tabindex="0">${output.text}</pre>`,
)}`;
}
