import { canWrite, notArchived } from '../../../access/requirements.ts';
import type { Context } from '../../../context.ts';
import { bindValue } from '../../../http/bodies/body.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { enqueueSync, requireMirrors } from '../../../mirrors/pull-mirror.ts';
import { createPushMirror } from '../../../mirrors/push/create.ts';
import { deletePushMirror, editPushMirror, enqueuePushes, getPushMirror, listPushMirrors } from '../../../mirrors/push/push-mirrors.ts';
import { enqueueMirror } from '../../../mirrors/schedule.ts';
import { CreatePushMirrorOption } from '../../../mirrors/schema.ts';
import { formatGoDuration } from '../../../text/go-duration.ts';
import { actionButton, checkBox, field, postForm } from '../../components/form.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';
import { changePullMirror, pullMirrorPart } from './pull-mirror.ts';

/** Which repository this one follows, and which ones follow it. */
export const mirrorPages: readonly AnyRoute[] = repositorySettingsPage({
  page: 'mirrors',
  show: async (visit, context, problem) => html`${visit.repository.is_mirror && (await pullMirrorPart(visit, context, problem))}
${await pushMirrors(visit, context, problem)}`,
  forms: {
    sync: {
      needs: [canWrite('code'), notArchived],
      send: async ({ repository }, context) => {
        requireMirrors(context);
        await enqueueSync(context, repository);
      },
    },
    pull: { needs: [notArchived], send: changePullMirror },
    'push/sync': {
      needs: [notArchived],
      // One of them, if the form names it.
      send: async ({ repository, fields }, context) => {
        requireMirrors(context);
        const name = fields.get('name');
        if (name === undefined) await enqueuePushes(context, repository.id, 'all');
        else await enqueueMirror(context, 'push_mirrors', (await getPushMirror(context, repository, name)).id);
      },
    },
    'push/edit': {
      needs: [notArchived],
      send: async ({ repository, fields }, context) => {
        requireMirrors(context);
        const wanted = { interval: fields.get('interval')?.trim() ?? '', syncOnCommit: fields.get('sync_on_commit') === 'on' };
        await editPushMirror(context, repository, fields.get('name') ?? '', wanted);
      },
    },
    'push/add': { needs: [notArchived], send: addPush },
    'push/delete': {
      needs: [notArchived],
      isOneTransaction: true,
      send: async ({ repository, fields }, context) => {
        requireMirrors(context);
        await deletePushMirror(context, repository, fields.get('name') ?? '');
      },
    },
  },
});

async function addPush({ repository, fields }: RepositoryVisit, context: Context): Promise<void> {
  requireMirrors(context);
  const body = bindValue(CreatePushMirrorOption, {
    remote_address: fields.get('remote_address')?.trim() ?? '',
    remote_username: fields.get('remote_username') ?? '',
    remote_password: fields.get('remote_password') ?? '',
    interval: fields.get('interval')?.trim() ?? '',
    sync_on_commit: fields.get('sync_on_commit') === 'on',
  });
  await createPushMirror(context, repository, body);
}

async function pushMirrors(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const { control: text, manage, common } = view.text;
  const page = requestedPage(visit, context.settings);
  const { mirrors, total } = await listPushMirrors(context, repository, page);
  const remove = (name: string, url: string) =>
    actionButton(view, {
      action: formPath(visit, 'mirrors', 'push/delete'),
      label: manage.removeShort,
      title: manage.removeNamed(url),
      fields: { name },
      className: 'danger',
    });
  const pushTo = (name: string, url: string) =>
    actionButton(view, { action: formPath(visit, 'mirrors', 'push/sync'), label: text.pushOne, title: text.pushTo(url), fields: { name } });
  const edit = (name: string, url: string, interval: string, isOnCommit: boolean) => {
    const fields = html`<input type="hidden" name="name" value="${name}">
${field({ name: 'interval', id: `f-${name}`, label: text.interval, value: interval, isRequired: true, maxLength: 50, hint: text.intervalHint })}
${checkBox({ name: 'sync_on_commit', label: text.syncOnCommit, isChecked: isOnCommit })}<button>${common.save}</button>`;
    return html`<details><summary aria-label="${text.changeNamed(url)}">${text.change}</summary>${postForm(view, fields, { action: formPath(visit, 'mirrors', 'push/edit') })}</details>`;
  };
  const rows = html`<ul class="rows box">${mirrors.map(
    ({
      remote_name: name,
      remote_url: url,
      interval,
      sync_on_commit: onCommit,
      last_update_at: last,
      last_error: error,
    }) => html`<li><div><code>${url}</code> ${onCommit && html`<span class="badge">${text.onCommit}</span>`}<br>
<span class="muted">${interval > 0 && html`${formatGoDuration(interval)} · `}${last === null ? text.neverSynced : html`${text.lastSync} ${timeAgo(view, last)}`}</span>
${error !== '' && html`<pre class="fault">${error}</pre>`}${edit(name, url, formatGoDuration(interval), onCommit)}</div><span class="push row">${pushTo(name, url)}${remove(name, url)}</span></li>`,
  )}</ul>`;
  const isAgain = problem?.form === 'push/add';
  const again = (name: string, otherwise = '') => (isAgain ? fields.get(name) : otherwise);
  const add = html`${field({ name: 'remote_address', label: text.remoteAddress, value: again('remote_address'), isRequired: true, maxLength: 2048, hint: text.remoteHint })}
${field({ name: 'remote_username', label: manage.userName, value: again('remote_username'), maxLength: 255, autocomplete: 'off' })}
${field({ name: 'remote_password', label: text.remotePassword, type: 'password', autocomplete: 'new-password', hint: text.passwordHint })}
${field({ name: 'interval', label: text.interval, value: again('interval', '8h0m0s'), maxLength: 50, hint: text.intervalHint })}
${checkBox({ name: 'sync_on_commit', label: text.syncOnCommit, isChecked: isAgain ? fields.get('sync_on_commit') === 'on' : true })}
<button class="primary">${text.addPush}</button>`;
  const sync = html`<p>${actionButton(view, { action: formPath(visit, 'mirrors', 'push/sync'), label: text.pushNow })}</p>`;
  return html`<section aria-labelledby="push"><h3 id="push">${text.pushMirrors}</h3><p>${text.pushHint}</p>${failed(view, problem, 'push/sync')}${failed(view, problem, 'push/edit')}${failed(view, problem, 'push/delete')}
${listOrEmpty(visit, page, { total, rows, empty: text.noPushMirrors })}${total > 0 && sync}
<h4>${text.addPush}</h4>${failed(view, problem, 'push/add')}${postForm(view, add, { action: formPath(visit, 'mirrors', 'push/add') })}</section>`;
}
