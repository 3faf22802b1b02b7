import type { Context } from '../../../context.ts';
import { menu } from '../../components/menu.ts';
import { withParameter } from '../../components/pages.ts';
import { type Html, html } from '../../html.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon, type View } from '../../view.ts';
import { codePath, type Location } from '../location.ts';
import { renderKnown } from '../readme.ts';
import { hasHidden } from '../source/hidden-characters.ts';
import { highlighted } from '../source/highlighted.ts';
import { grammarOf } from '../source/language.ts';
import { lineForm, linesMarked } from '../source/line-form.ts';
import { hasLookAlikes } from '../source/look-alikes.ts';
import { hasTooManyLines, linesOf, sourceView } from '../source/source-view.ts';
import { symbolPanel } from '../symbols/panel.ts';
import type { FileContent } from './content.ts';
import type { Media } from './media.ts';
import { notebookView } from './notebook.ts';
import { isTable, tableView } from './table.ts';

/** Longer texts are shown as source. */
const MAX_RENDERED = 2 * 1024 * 1024;

/** A file in the best view for its format. */
export async function* fileView(
  visit: RepositoryVisit,
  context: Context,
  location: Location,
  content: FileContent,
  isSource: boolean,
): AsyncGenerator<Html> {
  const { view } = visit;
  const { decoded, media, lfs, isLink, size } = content;
  if (isLink) yield linkView(view, location, decoded?.text ?? '');
  else if (media && !isSource) yield mediaView(view, location, media, lfs !== undefined);
  else if (!decoded) yield notShown(view);
  else if (size === 0) yield html`<div class="content"><p class="muted">${view.text.code.emptyFile}</p></div>`;
  else {
    const isRendered = !isSource && decoded.text.length <= MAX_RENDERED;
    const rendered = isRendered && (await renderedView(visit, context, location, decoded.text));
    if (rendered) yield html`<div class="content">${rendered}</div>`;
    else if (hasTooManyLines(decoded.text)) yield notShown(view);
    else yield* plainView(visit, context, location, content);
  }
}

function notShown(view: View): Html {
  return html`<div class="content"><p class="muted">${view.text.code.notShown}</p></div>`;
}

function renderedView(visit: RepositoryVisit, context: Context, location: Location, text: string): Promise<Html | undefined> {
  if (isTable(location.path)) return tableView(visit.view, context, location.path, text);
  const show = /\.ipynb$/i.test(location.path) ? notebookView : renderKnown;
  return show(visit, context, location, text);
}

async function* plainView(
  { view, fields }: RepositoryVisit,
  context: Context,
  location: Location,
  { decoded, entry }: FileContent,
): AsyncGenerator<Html> {
  const text = decoded?.text ?? '';
  const lines = await highlightedBlob(context, location, entry.oid, text);
  const isPlain = fields.get('escape') === 'false';
  yield* characterWarning(view, lines, isPlain);
  const symbols = await symbolPanel(view, context, location, entry.oid, text);
  yield html`<div class="source-tools">${symbols}${lineForm(view, fields)}</div>${lineMenu(view, location)}`;
  yield html`<div class="${isPlain ? 'plain-hidden' : ''}">`;
  yield* sourceView(view, lines, linesMarked(fields));
  yield html`</div>`;
}

/** Warns about invisible or ambiguous characters in a file, with a switch to mark them. */
function* characterWarning(view: View, lines: readonly string[], isPlain: boolean): Generator<Html> {
  const { source: text } = view.text;
  const warnings = [hasHidden(lines) && text.hidden, hasLookAlikes(lines) && text.lookAlikes].filter((warning) => warning !== false);
  if (warnings.length === 0) return;
  const link = html`<a href="${withParameter(view, 'escape', isPlain ? undefined : 'false')}">${isPlain ? text.markHidden : text.showPlain}</a>`;
  yield html`<p class="warning" role="status">${warnings.join(' ')} ${link}</p>`;
}

/** The actions of selected lines; the script shows them next to the lines. */
function lineMenu(view: View, location: Location): Html {
  const { source: text } = view.text;
  const { repository, commit } = location;
  const permalink = codePath(view, 'src', { ...location, kind: 'commit', name: commit.oid });
  const links = [
    html`<button type="button" class="link" data-copy="" data-copied="${view.text.common.copied}">${text.copyLink}</button>`,
    html`<a data-lines="blame" href="${codePath(view, 'blame', location)}">${text.blameLines}</a>`,
    html`<a data-lines="issue" href="${repositoryPath(view, repository, 'issues/new')}">${text.newIssue}</a>`,
  ];
  return html`<div class="line-menu" hidden data-permalink="${permalink}">${menu(icon(view, 'kebab-horizontal', text.lineMenu), links, { className: 'left' })}</div>`;
}

/** The highlighted lines of a file, cached by the id of the blob. */
export async function highlightedBlob(context: Context, { repository, path }: Location, oid: string, text: string): Promise<string[]> {
  const { git } = context;
  const grammar = grammarOf(path);
  const compute = async () => (await highlighted(context, [{ text: text.replaceAll('\r\n', '\n'), grammar }]))[0] ?? '';
  return linesOf(await git.pool.cache.remember(git.locate(repository), `highlighted ${oid} ${grammar}`, (lines) => lines.length, compute));
}

function mediaView(view: View, location: Location, media: Media, isLarge: boolean): Html {
  const url = codePath(view, isLarge ? 'media' : 'raw', location);
  const { text } = view;
  const name = location.path.slice(location.path.lastIndexOf('/') + 1);
  const shown = {
    image: html`<img src="${url}" alt="${name}">`,
    audio: html`<audio controls preload="metadata" src="${url}" aria-label="${name}"></audio>`,
    video: html`<video controls preload="metadata" src="${url}" aria-label="${name}"></video>`,
    // The content of the element is shown by browsers without a viewer, such as on phones.
    pdf: html`<object type="application/pdf" data="${url}" aria-label="${name}"><p>${text.code.noPdfViewer}</p><p><a class="button" href="${url}">${text.code.openPdf}</a></p></object>`,
  };
  return html`<div class="content media">${shown[media]}</div>`;
}

/** The target of a symbolic link, as a link if it is inside the repository. */
function linkView(view: View, location: Location, target: string): Html {
  const path = targetPath(location.path, target);
  const shown = path === undefined ? target : html`<a href="${codePath(view, 'src', { ...location, path })}">${target}</a>`;
  return html`<div class="content">${view.text.code.linksTo} <code>${shown}</code></div>`;
}

function targetPath(from: string, target: string): string | undefined {
  if (target.startsWith('/') || target.includes('\0')) return undefined;
  const names = from.split('/').slice(0, -1);
  for (const name of target.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined;
    } else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
