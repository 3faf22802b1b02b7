import { updateSettings } from '../../../accounts/users/settings.ts';
import type { Context } from '../../../context.ts';
import { queryFields } from '../../../http/bodies/fields.ts';
import { menu } from '../../components/menu.ts';
import { number } from '../../components/numbers.ts';
import { withParameter } from '../../components/pages.ts';
import { type Html, html } from '../../html.ts';
import { inParts } from '../../in-parts.ts';
import type { Visit } from '../../page.ts';
import type { View } from '../../view.ts';
import type { ShownFile } from './diff-task.ts';
import { fileSection } from './file-section.ts';
import { fileTree } from './file-tree.ts';
import { lineField, markedLines } from './line-field.ts';
import type { DiffOptions, DiffStyle } from './options.ts';
import { type Diff, diffLines } from './source.ts';
import { MAX_TABLES, tableDiff } from './table-diff.ts';

/** The style of the query or else of the account; `?style=` of a signed-in user is stored, as in Gitea. */
export async function diffStyle({ fields, visitor: { user } }: Visit, context: Context): Promise<DiffStyle> {
  const requested = fields.get('style');
  if (requested !== 'split' && requested !== 'unified') return user?.diff_view_style === 'split' ? 'split' : 'unified';
  if (user && user.diff_view_style !== requested) await updateSettings(context, user, { diff_view_style: requested });
  return requested;
}

/**
 * A diff: a bar, the tree of its files, and a section for each file; {@link DiffOptions} are the additions of a page. The parts that are
 * known at once come first, the lines as git writes them. Its page has the layout `wide` and the script `diff.js`.
 */
export async function* diffView(view: View, context: Context, diff: Diff, options: DiffOptions): AsyncGenerator<Html> {
  const { text } = view;
  const { files, changes, query } = diff;
  if (files.length === 0) {
    yield html`<p class="empty">${text.diff.nothing}</p>`;
    return;
  }
  if (!options.isPreview) yield diffBar(view, diff, options);
  const isAlone = files.length === 1;
  yield html`<div class="${isAlone ? 'diff-files' : 'diff-columns'}">`;
  if (!isAlone) {
    yield html`<details class="diff-files-box" open><summary>${text.diff.changedFiles}</summary>`;
    yield* inParts(fileTree(view, files));
    yield html`</details>`;
  }
  yield html`<div>`;
  const marked = markedLines(queryFields(new URL(view.here, 'http://here').href));
  yield* sections(view, context, diff, { ...options, marked });
  if (query.file === undefined && files.length < changes.files.length) {
    yield html`<p class="warning">${text.diff.moreFiles(changes.files.length - files.length)}</p>`;
  }
  yield html`</div></div>`;
}

/** The files in their order, including those without lines. */
async function* sections(view: View, context: Context, diff: Diff, options: DiffOptions): AsyncGenerator<Html> {
  const { files } = diff;
  const places = new Map(files.map(({ path }, index) => [path, index]));
  function* withoutLines(from: number, to: number): Generator<Html> {
    for (const file of files.slice(from, to)) yield fileSection(view, diff, file, undefined, options);
  }
  let next = 0;
  let tables = 0;
  async function* sectionsOf(piece: readonly ShownFile[]): AsyncGenerator<Html> {
    for (const shown of piece) {
      const place = places.get(shown.path);
      const file = files[place ?? -1];
      if (place === undefined || !file || place < next) continue;
      yield* withoutLines(next, place);
      const table = tables < MAX_TABLES ? await tableDiff(view, context, diff, file) : undefined;
      if (table) tables++;
      yield fileSection(view, diff, file, shown, options, table);
      next = place + 1;
    }
  }
  for await (const piece of diffLines(context, diff)) {
    yield* inParts(sectionsOf(piece));
    if (next === files.length) return;
  }
  yield* inParts(withoutLines(next, files.length));
}

function diffBar(view: View, { changes, files, query }: Diff, { style, actions, hasStyle = true }: DiffOptions): Html {
  const { text } = view;
  const { additions, deletions } = changes;
  const link = (name: string, value: string | undefined, label: string, isCurrent: boolean, className = '') =>
    html`<a class="${className}" href="${withParameter(view, name, value)}"${isCurrent && html` aria-current="true"`}>${label}</a>`;
  const spaces = [
    [undefined, text.diff.showWhitespace],
    ['ignore-all', text.diff.ignoreAll],
    ['ignore-change', text.diff.ignoreChange],
    ['ignore-eol', text.diff.ignoreEol],
  ] as const;
  return html`<div class="row diff-bar"><span>${text.diff.filesChanged(changes.files.length)} <span class="plus">+${number(view, additions)}</span> <span class="minus">−${number(view, deletions)}</span></span>
${query.file !== undefined && files.length < changes.files.length && html`<a href="${withParameter({ here: withParameter(view, 'file', undefined) }, 'context', undefined)}">${text.diff.allFiles}</a>`}
<span class="push row">${lineField(
    view,
    queryFields(new URL(view.here, 'http://here').href),
    files.map(({ path }) => path),
  )}${hasStyle && html`<span class="switch">${link('style', 'unified', text.diff.unified, style === 'unified', 'button')}${link('style', 'split', text.diff.split, style === 'split', 'button')}</span>`}
${menu(
  text.diff.whitespace,
  spaces.map(([value, label]) => link('whitespace', value, label, query.whitespace === value)),
)}${actions}</span></div>`;
}
