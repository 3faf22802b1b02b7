import { CreateKeyOption } from '../../../accounts/keys/schema.ts';
import type { Context } from '../../../context.ts';
import { bindValue } from '../../../http/bodies/body.ts';
import { pathId } from '../../../http/path-id.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { addDeployKey, deleteDeployKey, listDeployKeys } from '../../../repositories/deploy-keys/deploy-keys.ts';
import { confirmRecently, recentlyField } from '../../accounts/confirm-password.ts';
import { actionButton, checkBox, field, postForm, textArea } from '../../components/form.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';

/** The SSH keys that open a repository. */
export const deployKeyPages: readonly AnyRoute[] = repositorySettingsPage({
  page: 'keys',
  maxBytes: 64 * 1024,
  show: overview,
  forms: {
    add: {
      send: async (visit, context) => {
        const { repository, fields } = visit;
        // The key outlives the session, as a token does.
        await confirmRecently(visit, context);
        const { title, key } = bindValue(CreateKeyOption, { title: fields.get('title')?.trim() ?? '', key: fields.get('key') ?? '' });
        await addDeployKey(context, repository, { title: title || 'deploy key', key, canWrite: fields.get('can_write') === 'on' });
      },
    },
    delete: { send: ({ repository, fields }, context) => deleteDeployKey(context, repository, pathId(fields.get('id') ?? '')) },
  },
});

async function overview(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const text = view.text.manage;
  const page = requestedPage(visit, context.settings);
  const { keys, total } = await listDeployKeys(context, repository, {}, page);
  const rows = html`<ul class="rows box">${keys.map(
    ({ id, title, fingerprint, can_write: canWrite, created_at: created }) => html`<li><div><strong>${title}</strong>
<span class="badge">${canWrite ? text.readWrite : text.readOnly}</span><br><code>${fingerprint}</code><br>
<span class="muted">${view.text.settings.added} ${timeAgo(view, created)}</span></div>
<span class="push">${actionButton(view, { action: formPath(visit, 'keys', 'delete'), label: text.removeShort, title: text.removeNamed(title), fields: { id }, className: 'danger' })}</span></li>`,
  )}</ul>`;
  const isAgain = problem?.form === 'add';
  const add = postForm(
    view,
    html`${field({ name: 'title', label: text.title, value: isAgain ? fields.get('title') : '', maxLength: 255 })}
${textArea({ name: 'key', label: text.key, value: isAgain ? fields.get('key') : '', isRequired: true, rows: 4, hint: view.text.settings.sshKeyHint })}
${checkBox({ name: 'can_write', label: text.canWrite, isChecked: isAgain && fields.get('can_write') === 'on' })}
${recentlyField(visit)}<button class="primary">${text.addKey}</button>`,
    { action: formPath(visit, 'keys', 'add') },
  );
  return html`${listOrEmpty(visit, page, { total, rows, empty: text.noKeys })}<h3>${text.addKey}</h3>${failed(view, problem, 'add')}${add}`;
}
