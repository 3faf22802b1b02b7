import { findRepositoryOf } from '../../access/find-repository.ts';
import { type Context, inTransaction } from '../../context.ts';
import { HttpError, unprocessable } from '../../http/errors.ts';
import { presentVersion } from '../../packages/api/present.ts';
import { linkPackage, unlinkPackage } from '../../packages/owners/links.ts';
import { deleteVersion } from '../../packages/registry/delete.ts';
import { deletePackage } from '../../packages/registry/delete-package.ts';
import { findPackage } from '../../packages/registry/find.ts';
import { fault } from '../components/fault.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { localUrl } from '../view.ts';
import { packagesPath } from './load.ts';
import { heading, type VersionVisit } from './version-page.ts';

/** Where a package is linked to a repository, and deleted. */
export async function packageSettings(visit: VersionVisit, context: Context, problem?: string): Promise<Document> {
  const { view, user, version, fields } = visit;
  const { packages: text } = view.text;
  const shown = await presentVersion(context, user, version);
  const { repository_id: linkedId } = await packageOf(visit, context);
  const action = fields.get('do');
  const typed = (kind: string, name: string) => (problem !== undefined && action === kind ? (fields.get(name) ?? '') : '');
  const deletion = (kind: string, label: string) =>
    postForm(
      view,
      html`<input type="hidden" name="do" value="${kind}"><div class="field"><label for="${kind}">${text.confirm(shown.name)}</label>
<input id="${kind}" name="confirm" value="${typed(kind, 'confirm')}" required autocomplete="off"></div><button class="danger">${label}</button>`,
    );
  const link = postForm(
    view,
    html`<input type="hidden" name="do" value="link">${field({ name: 'repository', label: text.repositoryName, value: typed('link', 'repository'), isRequired: true, maxLength: 100, hint: text.linkHint })}<button>${text.linkButton}</button>`,
  );
  const linked = html`<p>${text.linkedTo} ${shown.repository ? html`<a href="${localUrl(view, shown.repository.html_url)}">${shown.repository.full_name}</a>` : '…'}</p>
${actionButton(view, { action: view.here, label: text.unlinkButton, fields: { do: 'unlink' } })}`;
  return {
    title: `${text.settings} - ${shown.name}`,
    layout: 'page',
    ...(problem !== undefined && { status: 422 }),
    body: html`${heading(visit, shown)}<div class="narrow">${problem !== undefined && fault(view, problem)}
<section aria-labelledby="link"><h2 id="link">${text.link}</h2>${linkedId === null ? link : linked}</section>
<section aria-labelledby="danger"><h2 id="danger">${text.danger}</h2><p>${text.deleteHint}</p>
${deletion('delete', text.deleteVersion(shown.version))}<hr>${deletion('delete-all', text.deletePackage)}</section></div>`,
  };
}

/** The actions of its forms. */
export async function changePackage(visit: VersionVisit, context: Context): Promise<Reply> {
  const { view, user } = visit;
  try {
    const isGone = await change(visit, context);
    return seeOther(context, (isGone ? packagesPath(view, user) : view.here).slice(view.root.length));
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 422].includes(error.status)) throw error;
    return packageSettings(visit, context, error.message);
  }
}

/** @returns whether the version was deleted */
async function change(visit: VersionVisit, context: Context): Promise<boolean> {
  const { fields, user, version, view } = visit;
  const { packages: text } = view.text;
  const row = await packageOf(visit, context);
  const action = fields.get('do');
  if (action === 'unlink') {
    await inTransaction(context, (context) => unlinkPackage(context, row));
    return false;
  }
  if (action === 'link') {
    const repository = await findRepositoryOf(context.db, user, (fields.get('repository') ?? '').trim());
    if (!repository) throw unprocessable(text.noRepository);
    await inTransaction(context, (context) => linkPackage(context, row, repository));
    return false;
  }
  if (action !== 'delete' && action !== 'delete-all') throw unprocessable('[do]: unknown');
  if (fields.get('confirm')?.trim() !== row.name) throw unprocessable(text.notConfirmed);
  if (action === 'delete') await deleteVersion(context, version);
  else await deletePackage(context, row);
  return true;
}

function packageOf({ user, version, params }: VersionVisit, { db }: Context) {
  return findPackage(db, { ownerId: user.id, type: version.type, name: params.name ?? '' });
}
