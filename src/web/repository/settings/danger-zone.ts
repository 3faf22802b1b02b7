import { repositoryOwner } from '../../../access/requirements.ts';
import { signedInActor } from '../../../accounts/sign-in/actor.ts';
import type { Context } from '../../../context.ts';
import { unprocessable } from '../../../http/errors.ts';
import { requestDeletion } from '../../../repositories/delete.ts';
import { editRepository } from '../../../repositories/edit/edit.ts';
import { cancelTransfer, startTransfer } from '../../../repositories/transfer/transfer.ts';
import { actionButton, field, postForm } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import { notice } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem, settingsPath } from './frame.ts';

/** Changes of ownership and visibility, and deletion. */
export const dangerForms = {
  visibility: {
    send: ({ repository, fields }: RepositoryVisit, context: Context) =>
      editRepository(context, repository, { private: fields.get('private') === 'true' }).then(() => undefined),
  },
  archive: {
    send: ({ repository, fields }: RepositoryVisit, context: Context) =>
      editRepository(context, repository, { archived: fields.get('archived') === 'true' }).then(() => undefined),
  },
  transfer: { needs: [repositoryOwner], send: transfer },
  'transfer/cancel': {
    needs: [repositoryOwner],
    send: ({ repository }: RepositoryVisit, context: Context) => cancelTransfer(context, repository),
  },
  delete: { needs: [repositoryOwner], send: remove },
};

async function transfer(visit: RepositoryVisit, context: Context): Promise<string> {
  requireName(visit);
  const { repository, fields } = visit;
  const to = { newOwner: fields.get('new_owner')?.trim() ?? '', teamIds: undefined };
  const started = await startTransfer(context, repository, signedInActor(context), to);
  const { owner, name } = started.repository;
  // The former owner may not see its settings any more.
  return started.isPending ? settingsPath(repository, 'general') : `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}`;
}

async function remove(visit: RepositoryVisit, context: Context): Promise<string> {
  requireName(visit);
  await requestDeletion(context, visit.repository);
  return encodeURIComponent(visit.repository.owner.name);
}

/** @throws HttpError 422 unless the name of the repository was typed */
function requireName({ repository, fields, view }: RepositoryVisit): void {
  if (fields.get('name') !== repository.name) throw unprocessable(view.text.manage.nameDiffers);
}

/** The forms of these actions, for users who may use them. */
export function dangerZone(visit: RepositoryVisit, { actor }: Context, problem?: Problem): Html {
  const { view, repository, access, fields } = visit;
  const text = view.text.manage;
  const isOwner = access.isOwner || actor?.is_admin;
  const action = (form: string) => formPath(visit, 'general', form);
  const again = (form: string, name: string) => (problem?.form === form ? fields.get(name) : '');
  const visibility = actionButton(view, {
    action: action('visibility'),
    label: repository.is_private ? text.makePublic : text.makePrivate,
    fields: { private: String(!repository.is_private) },
    className: 'danger',
  });
  const archive = actionButton(view, {
    action: action('archive'),
    label: repository.is_archived ? text.unarchive : text.archive,
    fields: { archived: String(!repository.is_archived) },
    className: 'danger',
  });
  // Two fields of one page need different names for their labels.
  const confirmation = (id: string) => html`<div class="field"><label for="${id}">${text.typeName(repository.name)}</label>
<input id="${id}" name="name" required autocomplete="off"></div>`;
  const transfer = html`<h4>${text.transfer}</h4>${failed(view, problem, 'transfer')}<p>${text.transferHint}</p>
${
  repository.is_transferring
    ? html`${failed(view, problem, 'transfer/cancel')}${notice(text.transferring)}${actionButton(view, { action: action('transfer/cancel'), label: view.text.control.cancelTransfer })}`
    : postForm(
        view,
        html`${field({ name: 'new_owner', label: text.newOwner, value: again('transfer', 'new_owner'), isRequired: true, autocomplete: 'off' })}
${confirmation('transfer-name')}<button class="danger">${text.transfer}</button>`,
        { action: action('transfer') },
      )
}`;
  const removal = html`<h4>${text.remove}</h4>${failed(view, problem, 'delete')}<p>${text.removeHint}</p>
${postForm(view, html`${confirmation('delete-name')}<button class="danger">${text.remove}</button>`, { action: action('delete') })}`;
  return html`<section class="danger-zone"><h3>${text.dangerZone}</h3>
<h4>${repository.is_private ? text.makePublic : text.makePrivate}</h4>${failed(view, problem, 'visibility')}<p>${repository.is_private ? text.makePublicHint : text.makePrivateHint}</p>${visibility}
${!repository.is_mirror && html`<h4>${repository.is_archived ? text.unarchive : text.archive}</h4>${failed(view, problem, 'archive')}<p>${text.archiveHint}</p>${archive}`}
${isOwner && html`${transfer}${removal}`}</section>`;
}
