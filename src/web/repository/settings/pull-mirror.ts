import { type Context, inTransaction } from '../../../context.ts';
import { bindValue } from '../../../http/bodies/body.ts';
import { editMirrorSource } from '../../../mirrors/edit.ts';
import { findMirror, requireMirrors } from '../../../mirrors/pull-mirror.ts';
import { editRepository } from '../../../repositories/edit/edit.ts';
import { EditRepoOption } from '../../../repositories/schema.ts';
import { withoutCredentials } from '../../../repositories/urls.ts';
import { formatGoDuration } from '../../../text/go-duration.ts';
import { actionButton, checkBox, field, postForm } from '../../components/form.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem } from './frame.ts';

const MAX_URL = 2048;
const MAX_SECRET = 4096;

/** Changes the source and the options of a mirror, all or nothing. */
export async function changePullMirror({ repository, fields }: RepositoryVisit, context: Context): Promise<void> {
  requireMirrors(context);
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  const isOn = (name: string) => fields.get(name) === 'on';
  const body = bindValue(EditRepoOption, { mirror_interval: text('mirror_interval'), enable_prune: isOn('enable_prune') });
  await inTransaction(context, async (context) => {
    await editMirrorSource(context, repository, {
      address: text('mirror_address'),
      username: text('mirror_username'),
      password: fields.get('mirror_password') ?? '',
      forgetsCredentials: isOn('forget_credentials'),
      largeFiles: isOn('mirror_lfs'),
      largeFilesEndpoint: text('mirror_lfs_endpoint'),
    });
    await editRepository(context, repository, body);
  });
}

/** The source of a mirror, its last synchronization, and its form. Stored credentials are not shown. */
export async function pullMirrorPart(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html | false> {
  const { view, repository, fields } = visit;
  const { control: text, common, migration } = view.text;
  const mirror = await findMirror(context, repository);
  if (!mirror) return false;
  const isAgain = problem?.form === 'pull';
  const typed = (name: string, otherwise: string) => (isAgain ? fields.get(name) : otherwise);
  const box = (name: string, label: string, isUsual: boolean) =>
    checkBox({ name, label, isChecked: isAgain ? fields.get(name) === 'on' : isUsual });
  const isKnown = mirror.credentials !== null;
  const form = html`${field({ name: 'mirror_address', label: text.remoteAddress, value: withoutCredentials(typed('mirror_address', mirror.remote_url) ?? ''), isRequired: true, maxLength: MAX_URL, hint: text.sourceHint })}
<fieldset><legend>${text.credentials}</legend><p class="hint">${isKnown ? text.credentialsKept : text.noCredentials}</p>
${field({ name: 'mirror_username', label: view.text.manage.userName, value: typed('mirror_username', ''), maxLength: MAX_SECRET, autocomplete: 'off' })}
${field({ name: 'mirror_password', label: text.remotePassword, type: 'password', maxLength: MAX_SECRET, autocomplete: 'new-password', hint: text.passwordHint })}
${isKnown && box('forget_credentials', text.forgetCredentials, false)}</fieldset>
${field({ name: 'mirror_interval', label: text.interval, value: typed('mirror_interval', formatGoDuration(mirror.interval)), isRequired: true, maxLength: 50, hint: text.intervalHint })}
${box('enable_prune', text.prune, mirror.enable_prune)}
${context.settings.lfs.enabled && html`${box('mirror_lfs', migration.lfs, mirror.lfs)}${field({ name: 'mirror_lfs_endpoint', label: migration.lfsEndpoint, value: withoutCredentials(typed('mirror_lfs_endpoint', mirror.lfs_endpoint) ?? ''), maxLength: MAX_URL, hint: migration.lfsEndpointHint })}`}
<button class="primary">${common.save}</button>`;
  return html`<section aria-labelledby="pull"><h3 id="pull">${text.pullMirror}</h3>${failed(view, problem, 'sync')}${failed(view, problem, 'pull')}
<p>${text.follows} <code>${mirror.remote_url}</code> <span class="muted">${text.lastSync} ${timeAgo(view, mirror.updated_at)}${mirror.next_at !== null && html` · ${text.nextSync} ${timeAgo(view, mirror.next_at)}`}</span></p>
${mirror.last_error !== '' && html`<pre class="fault">${mirror.last_error}</pre>`}
<p>${actionButton(view, { action: formPath(visit, 'mirrors', 'sync'), label: text.syncNow })}</p>
${postForm(view, form, { action: formPath(visit, 'mirrors', 'pull') })}</section>`;
}
