import type { Context } from '../../../context.ts';
import { menu } from '../../components/menu.ts';
import { type Html, html } from '../../html.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import type { Location } from '../location.ts';
import { editPath } from './location.ts';

/** Whether edit forms can be offered here: the visitor is signed in, and the page shows a branch that accepts changes. */
function isEditable({ view, repository }: RepositoryVisit, { kind }: Pick<Location, 'kind'>): boolean {
  return view.user !== null && kind === 'branch' && !repository.is_archived && !repository.is_mirror;
}

/** The actions of a folder: the forms lead users without write access to a fork. */
export function addFileMenu(visit: RepositoryVisit, context: Context, location: Location): Html | false {
  if (!isEditable(visit, location)) return false;
  const { view } = visit;
  const { edit: text } = view.text;
  const at = { ...location, branch: location.name };
  const item = (action: '_new' | '_upload' | '_diffpatch' | '_delete', label: string, name: 'plus' | 'upload' | 'diff' | 'trash') =>
    html`<a href="${editPath(view, action, at)}">${icon(view, name)} ${label}</a>`;
  return menu(html`${icon(view, 'plus')} ${text.addFileMenu}`, [
    item('_new', text.newFile, 'plus'),
    context.settings.fileUploads.enabled && item('_upload', text.uploadFiles, 'upload'),
    item('_diffpatch', text.applyPatch, 'diff'),
    location.path !== '' && item('_delete', text.deleteFolder, 'trash'),
  ]);
}

/** The links of a file to the forms that edit and delete it. */
export function fileEditLinks(visit: RepositoryVisit, location: Location): Html | false {
  if (!isEditable(visit, location)) return false;
  const { view } = visit;
  const { edit: text } = view.text;
  const at = { ...location, branch: location.name };
  return html`<a class="button" data-key="e" href="${editPath(view, '_edit', at)}" aria-label="${text.editFile}" title="${text.editFile}">${icon(view, 'pencil')}</a>
<a class="button" href="${editPath(view, '_delete', at)}" aria-label="${text.deleteFile}" title="${text.deleteFile}">${icon(view, 'trash')}</a>`;
}

/** The pencil next to a README. */
export function readmeEditLink(visit: RepositoryVisit, location: Location): Html | false {
  if (!isEditable(visit, location)) return false;
  const { view } = visit;
  const href = editPath(view, '_edit', { ...location, branch: location.name });
  return html`<a class="push plain" href="${href}" aria-label="${view.text.edit.editFile}" title="${view.text.edit.editFile}">${icon(view, 'pencil')}</a>`;
}

/** The actions of a commit. */
export function commitMenu(visit: RepositoryVisit, oid: string): Html | false {
  const { view, repository } = visit;
  const { edit: text, refs } = view.text;
  if (!isEditable(visit, { kind: 'branch' })) return false;
  const pick = editPath(view, `_cherrypick/${oid}`, { repository, branch: repository.default_branch, path: '' });
  return menu(html`${text.operations}`, [
    html`<a href="${pick}?cherry-pick-type=revert">${icon(view, 'undo')} ${text.revert}</a>`,
    html`<a href="${pick}">${icon(view, 'git-commit')} ${text.pick}</a>`,
    visit.access.canWrite('code') &&
      html`<a href="${repositoryPath(view, repository, `branches?from=${oid}`)}">${icon(view, 'git-branch')} ${refs.newBranch}</a>`,
  ]);
}

/** The forms for the first commit of a repository. */
export function firstFileLinks(visit: RepositoryVisit, context: Context): Html | false {
  const { view, repository } = visit;
  const { edit: text } = view.text;
  if (!isEditable(visit, { kind: 'branch' }) || !visit.access.canWrite('code')) return false;
  const at = { repository, branch: repository.default_branch, path: '' };
  return html`<div class="buttons first-files"><a class="button primary" href="${editPath(view, '_new', at)}">${icon(view, 'plus')} ${text.newFile}</a>
${context.settings.fileUploads.enabled && html`<a class="button" href="${editPath(view, '_upload', at)}">${icon(view, 'upload')} ${text.uploadFiles}</a>`}</div>`;
}
