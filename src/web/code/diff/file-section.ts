import { escapePath } from '../../../code/escape-path.ts';
import type { ChangedFile } from '../../../git/diff/changes.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { pageOfFile } from '../../../wiki/names.ts';
import { withParameter } from '../../components/pages.ts';
import { Html, html } from '../../html.ts';
import { repositoryPath } from '../../repository/frame.ts';
import { icon, type View } from '../../view.ts';
import { mediaOf } from '../file/media.ts';
import { codePath } from '../location.ts';
import type { ShownFile, ShownHunk } from './diff-task.ts';
import { imagesView } from './images.ts';
import type { DiffOptions } from './options.ts';
import { splitRows, unifiedRows } from './rows.ts';
import { type Diff, type DiffSide, diffAnchor } from './source.ts';

/** Each step multiplies the number of lines around changes by this. */
const EXPANSION = 10;

const COLUMNS = {
  unified: html`<colgroup><col class="n"><col class="n"><col class="s"><col></colgroup>`,
  split: html`<colgroup><col class="n"><col class="s"><col><col class="n"><col class="s"><col></colgroup>`,
};

/**
 * A file of a difference.
 * @param shown its lines; undefined if it is collapsed or has none
 * @param table the same as a table of values, for a file of such
 */
export function fileSection(
  view: View,
  diff: Diff,
  file: ChangedFile,
  shown: ShownFile | undefined,
  options: DiffOptions,
  table?: Html,
): Html {
  const anchor = diffAnchor(file.path);
  const extras = options.fileExtras?.(file, shown);
  const lines = shown?.hunks.reduce((sum, { lines }) => sum + lines.length, 0) ?? 0;
  return html`<section class="box diff-file ${sizeClass(lines)} ${extras?.className}" id="${anchor}" aria-label="${file.path}">
${header(view, file, shown, options.isPreview ? undefined : linksOf(view, diff, file, shown, extras?.header))}${extras?.above}
${table ? withTable(view, table, bodyOf(view, diff, file, shown, options), options) : bodyOf(view, diff, file, shown, options)}</section>`;
}

/** The table, with lines that load on click; if lines can be commented on, they are there at once. */
function withTable({ text: { diff: text } }: View, table: Html, lines: Html, { lineAction, lineExtras }: DiffOptions): Html {
  const isOpen = lineAction !== undefined || lineExtras !== undefined;
  return html`<details open><summary>${text.asTable}</summary>${table}</details><details${isOpen && html` open`}><summary>${text.asLines}</summary>${lines}</details>`;
}

/** Sections far from the window are not laid out; this estimates their size. */
function sizeClass(lines: number): string {
  return lines < 8 ? '' : lines < 40 ? 'some' : lines < 200 ? 'many' : 'lots';
}

function header(view: View, file: ChangedFile, shown: ShownFile | undefined, links: Html | undefined): Html {
  const { text } = view;
  const { path, oldPath, oldMode, mode, status, additions, deletions } = file;
  const modes = status === 'modified' || status === 'renamed' ? oldMode !== mode && `${oldMode} → ${mode}` : false;
  return html`<header class="diff-head"><span class="counts">${countsOf(view, additions, deletions)}</span>
<a class="mono plain" href="#${diffAnchor(path)}">${oldPath !== undefined && html`${oldPath} → `}${path}</a>
${status !== 'modified' && html`<span class="badge">${text.diff[status]}${file.similarity !== undefined && ` ${file.similarity} %`}</span>`}
${modes && html`<span class="badge">${modes}</span>`} ${mode === '160000' && html`<span class="badge">${text.diff.submodule}</span>`}
${shown?.isLfs && html`<span class="badge">Git LFS</span>`}
<span class="push row"><button type="button" class="link" data-copy="${path}" data-copied="${text.common.copied}" aria-label="${text.code.copyPath}">${icon(view, 'copy')}</button>
${links}</span></header>`;
}

function linksOf(view: View, diff: Diff, file: ChangedFile, shown: ShownFile | undefined, extra: Html | undefined): Html {
  const side = file.status === 'removed' ? diff.source.base : diff.source.head;
  return html`${shown && shown.hunks.length > 0 && expandLink(view, diff, file)}
<a href="${sidePath(view, 'src', side, file.path)}">${view.text.diff.viewFile}</a>${extra}`;
}

function countsOf(view: View, additions: number, deletions: number): Html {
  return html`<span class="plus" title="${view.text.diff.added}">+${additions}</span> <span class="minus" title="${view.text.diff.removed}">−${deletions}</span>`;
}

function expandLink(view: View, { query }: Diff, file: ChangedFile): Html | false {
  if (file.status === 'added' || file.status === 'removed') return false;
  const context = Math.max(1, query.context) * EXPANSION;
  return html`<a href="${oneFile(view, file.path, context)}" data-replace="${diffAnchor(file.path)}">${icon(view, 'plus')} ${view.text.diff.moreContext}</a>`;
}

/** The page of this diff for one file. */
function oneFile(view: View, path: string, context?: number): string {
  const here = withParameter({ here: withParameter(view, 'file', path) }, 'context', context === undefined ? undefined : String(context));
  return `${here}#${diffAnchor(path)}`;
}

function bodyOf(view: View, diff: Diff, file: ChangedFile, shown: ShownFile | undefined, options: DiffOptions): Html {
  const { text } = view;
  const media = mediaOf(file.path);
  if (media === 'image' && (file.binary || shown?.isLfs)) return pictures(view, diff, file);
  const note = (message: string) => html`<p class="content muted">${message}</p>`;
  if (file.binary) return note(text.diff.binary);
  if (diff.folded.has(file.path)) {
    const link = html`<a href="${oneFile(view, file.path)}" data-replace="${diffAnchor(file.path)}">${text.diff.showFolded}</a>`;
    return html`<p class="content muted">${text.diff.folded} ${link}</p>`;
  }
  if (!shown || shown.hunks.length === 0) return note(file.status === 'renamed' ? text.diff.onlyRenamed : text.diff.noLines);
  return html`${linesTable(view, file, shown, options)}${shown.truncated && note(text.diff.truncated)}`;
}

function linesTable(view: View, file: ChangedFile, shown: ShownFile, options: DiffOptions): Html {
  const { text } = view;
  const anchor = diffAnchor(file.path);
  const marked = options.marked?.anchor === anchor ? options.marked : undefined;
  const row = { file, options, anchor, marked, noNewline: escapeHtml(text.diff.noNewline) };
  const isSplit = options.style === 'split';
  const rows = shown.hunks.map((hunk) => hunkRow(hunk, isSplit ? 6 : 4) + (isSplit ? splitRows(row, hunk) : unifiedRows(row, hunk)));
  return html`<table class="diff chroma ${isSplit ? 'split' : ''}"><caption class="visually-hidden">${text.diff.changesOf} ${file.path}</caption>${isSplit ? COLUMNS.split : COLUMNS.unified}<tbody>${new Html(rows.join(''))}</tbody></table>`;
}

function hunkRow({ oldStart, oldLines, newStart, newLines, place }: ShownHunk, columns: number): string {
  const range = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
  return `<tr class="hunk"><td colspan="${columns}">${range} ${escapeHtml(place)}</td></tr>`;
}

function pictures(view: View, { source }: Diff, file: ChangedFile): Html {
  const { path, oldPath, status } = file;
  const before = status === 'added' ? undefined : sidePath(view, 'media', source.base, oldPath ?? path);
  return imagesView(view, file, before, status === 'removed' ? undefined : sidePath(view, 'media', source.head, path));
}

function sidePath(view: View, page: string, { repository, commit = '', isWiki }: DiffSide, path: string): string {
  if (isWiki)
    return repositoryPath(
      view,
      repository,
      page === 'src' ? `wiki/${pageOfFile(path) ?? encodeURIComponent(path)}` : `wiki/raw/${escapePath(path)}`,
    );
  return codePath(view, page, { repository, kind: 'commit', name: commit, path });
}
