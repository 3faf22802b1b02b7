import { notArchived, repositoryAdmin } from '../../../access/requirements.ts';
import type { Context } from '../../../context.ts';
import { HttpError } from '../../../http/errors.ts';
import { pathId } from '../../../http/path-id.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { LfsError } from '../../../lfs/errors.ts';
import { createLock, deleteLock, LockExistsError, listLocks } from '../../../lfs/locks/locks.ts';
import { listObjects } from '../../../lfs/objects/list.ts';
import { actionButton, field, postForm } from '../../components/form.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { bytes, timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';

/** Locks that a page shows. */
const LOCKS = 50;
const common = { page: 'lfs', needs: [repositoryAdmin], when: ({ lfs }: Context['settings']) => lfs.enabled } as const;

/** The large files of a repository, and the locks on them. */
export const lfsPages: readonly AnyRoute[] = [
  ...repositorySettingsPage({ ...common, show: objects }),
  ...repositorySettingsPage({
    ...common,
    sub: 'locks',
    show: locks,
    forms: {
      '': {
        needs: [notArchived],
        send: async (visit, context) => {
          await asHttpError(createLock(targetOf(visit, context), visit.fields.get('path')?.trim() ?? ''));
          return locksAddress(visit);
        },
      },
      ':id(^[0-9]+$)/unlock': {
        send: async (visit, context) => {
          await asHttpError(deleteLock(targetOf(visit, context), pathId(visit.params.id ?? ''), true));
          return locksAddress(visit);
        },
      },
    },
  }),
];

function locksAddress(visit: RepositoryVisit): string {
  return formPath(visit, 'lfs', 'locks').slice(visit.view.root.length);
}

/** The caller as the rules of large files know it. */
function targetOf({ repository, access }: RepositoryVisit, context: Context) {
  return { context, repository, access, mayLink: false, isDeployKey: false };
}

/** The errors of LFS rules, for the page. */
async function asHttpError<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    if (error instanceof LockExistsError) throw new HttpError(409, error.message);
    if (error instanceof LfsError) throw new HttpError(error.status, error.message);
    throw error;
  }
}

async function objects(visit: RepositoryVisit, context: Context): Promise<Html> {
  const { view, repository } = visit;
  const { control: text } = view.text;
  const page = requestedPage(visit, context.settings);
  const { objects, total } = await listObjects(context, repository.id, page);
  const rows = html`<ul class="rows box">${objects.map(
    ({ oid, size, created_at: created }) => html`<li><div><code>${oid}</code><br><span class="muted">${timeAgo(view, created)}</span></div>
<span class="push muted nowrap">${bytes(view, size)}</span></li>`,
  )}</ul>`;
  return html`<p>${text.lfsHint(bytes(view, repository.lfs_size))} <a href="${formPath(visit, 'lfs', 'locks')}">${text.locks}</a></p>
${listOrEmpty(visit, page, { total, rows, empty: text.noObjects })}`;
}

async function locks(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const { control: text } = view.text;
  const cursor = Math.max(0, Math.min(Math.trunc(Number(fields.get('page')) || 1), 100_000) - 1);
  const { locks, more } = await listLocks(context.db, repository.id, { cursor, limit: LOCKS });
  const own = formPath(visit, 'lfs', 'locks');
  const rows = html`<ul class="rows box">${locks.map(
    ({
      id,
      path,
      owner,
      created_at: created,
    }) => html`<li><div><code>${path}</code> <span class="muted">${owner} · ${timeAgo(view, created)}</span></div>
<span class="push">${actionButton(view, { action: `${own}/${id}/unlock`, label: text.unlock, title: text.unlockNamed(path), className: 'danger' })}</span></li>`,
  )}</ul>`;
  const typed = problem?.form === '' ? fields.get('path') : '';
  const add = html`${field({ name: 'path', label: text.path, value: typed, isRequired: true, maxLength: 4096, autocomplete: 'off' })}<button class="primary">${text.lock}</button>`;
  return html`<p><a href="${formPath(visit, 'lfs')}">${text.backToObjects}</a></p><h3>${text.locks}</h3>${problem?.form !== '' && problem && failed(view, problem, problem.form)}
${locks.length > 0 ? rows : html`<p class="empty">${text.noLocks}</p>`}
${more && html`<p><a href="${own}?page=${cursor + 2}">${text.more}</a></p>`}
<h3>${text.lock}</h3>${failed(view, problem, '')}${postForm(view, add, { action: own })}`;
}
