import { findRepositoryOf } from '../../../access/find-repository.ts';
import { canRead, editable, signedIn } from '../../../access/requirements.ts';
import { signedInActor } from '../../../accounts/sign-in/actor.ts';
import { escapePath } from '../../../code/escape-path.ts';
import type { Context } from '../../../context.ts';
import { HttpError } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { forkRepository } from '../../../repositories/forks/forks.ts';
import type { Settings } from '../../../settings.ts';
import { fault } from '../../components/fault.ts';
import { actionButton } from '../../components/form.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { type Reply, type ResourcePage, seeOther } from '../../page.ts';
import { safeRedirect } from '../../redirects.ts';
import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import { MAX_SHOWN } from '../file/content.ts';
import { codePath } from '../location.ts';
import { findEditLocation, type WritableLocation } from './location.ts';

type Handler = (visit: RepositoryVisit, context: Context, location: WritableLocation) => Promise<Reply>;

/** Each byte of a typed file takes up to three bytes when it is escaped. */
const maxBytes = ({ limits }: Settings) => Math.min(3 * MAX_SHOWN, limits.contentsBody) + 256 * 1024;

/** The requirements of these pages. Rules check the rest themselves: a user without write access can propose a change. */
const needs = [canRead('code'), editable, signedIn];

/** A form that changes a branch. A user with neither write access nor a fork is offered to create a fork first. */
export function editorPage(
  action: string,
  { show, send, ...page }: Pick<ResourcePage<RepositoryVisit>, 'semaphore' | 'readsBody' | 'when'> & { show: Handler; send: Handler },
): AnyRoute[] {
  const within =
    (handler: Handler) =>
    async (visit: RepositoryVisit, context: Context): Promise<Reply> => {
      const location = await findEditLocation(visit, context);
      const { target } = location;
      return target ? handler(visit, context, { ...location, target }) : forkOffer(visit, context, location.branch, location.path);
    };
  const shared = { semaphore: 'renders', maxBytes, ...page, needs } as const;
  return repositoryPage({ ...shared, path: `/:owner/:repo/${action}/*`, get: within(show), post: within(send) });
}

/** Creates the fork for a proposed change, and redirects back to the form. */
export const forkToEditPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/_fork/*',
  needs,
  post: async (visit, context) => {
    const { repository, fields, view } = visit;
    const actor = signedInActor(context);
    let name = repository.name;
    for (let number = 1; await findRepositoryOf(context.db, actor, name); number++) name = `${repository.name}-${number}`;
    await forkRepository(context, repository, actor, name);
    return seeOther(context, '', { location: safeRedirect(fields.get('back') ?? '', view.rootUrl) });
  },
});

function forkOffer(visit: RepositoryVisit, context: Context, branch: string, path: string): Promise<Document> {
  const { view, repository } = visit;
  const { edit: text } = view.text;
  const action = repositoryPath(view, repository, `_fork/${escapePath(branch)}/${escapePath(path)}`);
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: text.forkFirst,
    body: html`<div class="empty plain-empty"><h2>${text.forkFirst}</h2><p>${text.forkFirstHint}</p>
${actionButton(view, { action, label: html`${icon(view, 'repo-forked')} ${text.fork}`, fields: { back: view.here }, className: 'primary' })}</div>`,
  });
}

/** The page of a form that changes code: its location, the error, and the form. */
export function editDocument(
  visit: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  {
    title,
    problem,
    body,
    scripts = [],
    ...rest
  }: Pick<Document, 'title' | 'scripts' | 'imports'> & { problem?: string | undefined; body: Html },
): Promise<Document> {
  const { view } = visit;
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: location.path === '' ? title : `${title}: ${location.path}`,
    ...rest,
    scripts: ['edit.js', ...scripts],
    ...(problem !== undefined && { status: 422 }),
    body: html`<div class="row code-bar"><h2 class="bar-title">${title}</h2>${crumbs(visit, location)}</div>
${problem !== undefined && fault(view, problem)}
${location.target.isFork && html`<p class="notice" role="status">${view.text.edit.proposes}</p>`}${body}`,
  });
}

function crumbs({ view }: RepositoryVisit, { repository, branch, path }: WritableLocation): Html {
  const folders = path.split('/').slice(0, -1);
  const at = (path: string) => codePath(view, 'src', { repository, kind: 'branch', name: branch, path });
  if (repository.is_empty) return html`<span class="ref-name">${branch}</span>`;
  return html`<nav class="crumbs" aria-label="${view.text.code.path}"><a href="${at('')}">${repository.name}</a> / ${folders.map((name, index) => html`<a href="${at(folders.slice(0, index + 1).join('/'))}">${name}</a> / `)}</nav>
<span>${icon(view, 'git-branch')} <span class="ref-name">${branch}</span></span>`;
}

/** Shows a form again with the error of a rule. Missing and hidden pages stay 404. */
export async function orAgain(send: () => Promise<Reply>, again: (problem: string) => Promise<Reply>): Promise<Reply> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof HttpError) || error.status === 401 || error.message === '') throw error;
    return again(error.message);
  }
}

/** The buttons below a form. @param back the target of the cancel button */
export function formButtons(
  { view }: RepositoryVisit,
  label: string,
  back: string,
  options: { preview?: boolean; danger?: boolean } = {},
): Html {
  const { edit: text, common } = view.text;
  return html`<div class="buttons"><button class="${options.danger ? 'danger' : 'primary'}">${label}</button>
${options.preview && html`<button class="without-script" name="preview" value="1" formnovalidate>${text.preview}</button>`}
<a class="button" href="${back}">${common.cancel}</a></div>`;
}

/** The target of the cancel button. */
export function backPath(visit: RepositoryVisit, { repository, branch, path, entry }: WritableLocation): string {
  const { view } = visit;
  const requested = new URL(visit.request.url).searchParams.get('return_uri') ?? '';
  if (requested !== '') return safeRedirect(requested, view.rootUrl);
  if (repository.is_empty) return repositoryPath(view, repository);
  return codePath(view, 'src', { repository, kind: 'branch', name: branch, path: entry ? path : path.split('/').slice(0, -1).join('/') });
}
