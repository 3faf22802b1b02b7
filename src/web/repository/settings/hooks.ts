import { repositoryAdmin, webhooksOn } from '../../../access/requirements.ts';
import { signedInActor } from '../../../accounts/sign-in/actor.ts';
import type { Context } from '../../../context.ts';
import { bindValue } from '../../../http/body.ts';
import { pathId } from '../../../http/path-id.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { listDeliveries } from '../../../webhooks/deliveries/list.ts';
import { HOOK_EVENTS, requestWords } from '../../../webhooks/hooks/events.ts';
import { createHook, deleteHook, editHook, getHook, listHooks } from '../../../webhooks/hooks/hooks.ts';
import { presentHook } from '../../../webhooks/hooks/present.ts';
import { CreateHookOption, EditHookOption } from '../../../webhooks/hooks/schema.ts';
import { enqueueTestPush } from '../../../webhooks/payloads/test-push.ts';
import { actionButton, postForm } from '../../components/form.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import { fault } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { formPath, type Problem, repositorySettingsPage, settingsAddress } from './frame.ts';
import { type HookShape, hookFields, typeField } from './hook-form.ts';

const common = { page: 'hooks', needs: [repositoryAdmin, webhooksOn], maxBytes: 64 * 1024 } as const;
/** Deliveries that the page of a hook lists. */
const LISTED = 30;

/** The webhooks of a repository. */
export const hookPages: readonly AnyRoute[] = [
  ...repositorySettingsPage({ ...common, show: list, forms: {} }),
  ...repositorySettingsPage({ ...common, sub: 'new', show: newForm, forms: { '': { send: create } } }),
  ...repositorySettingsPage({
    ...common,
    sub: ':id',
    show: editForm,
    forms: {
      '': { send: edit },
      delete: { send: (visit, context) => deleteHook(context, scopeOf(visit), idOf(visit)) },
      tests: {
        send: async (visit, context) => {
          const hook = await getHook(context, scopeOf(visit), idOf(visit));
          await enqueueTestPush(context, visit.repository, hook, signedInActor(context));
          return `${settingsAddress(visit.repository, 'hooks')}/${hook.id}`;
        },
      },
    },
  }),
];

function scopeOf({ repository }: RepositoryVisit) {
  return { repositoryId: repository.id };
}

function idOf({ params }: RepositoryVisit): number {
  return pathId(params.id ?? '');
}

/** What a form says of a hook, as far as it can be changed. */
function read({ fields }: RepositoryVisit) {
  const all = HOOK_EVENTS.filter((event) => fields.all('events').includes(event));
  return {
    name: fields.get('name') ?? '',
    branch_filter: fields.get('branch_filter') ?? '',
    authorization_header: fields.get('authorization_header') ?? '',
    active: fields.get('active') === 'on',
    events: requestWords(all),
  };
}

async function create(visit: RepositoryVisit, context: Context): Promise<void> {
  const { fields } = visit;
  const channel = fields.get('channel')?.trim();
  const secret = fields.get('secret') ?? '';
  const config = {
    url: fields.get('url')?.trim() ?? '',
    content_type: fields.get('content_type') ?? '',
    secret,
    ...(channel && { channel }),
  };
  const options = bindValue(CreateHookOption, { type: fields.get('type') ?? '', config, ...read(visit) });
  await createHook(context, scopeOf(visit), options);
}

async function edit(visit: RepositoryVisit, context: Context): Promise<void> {
  const { fields } = visit;
  const config = { url: fields.get('url')?.trim() ?? '', content_type: fields.get('content_type') ?? '' };
  await editHook(context, scopeOf(visit), idOf(visit), bindValue(EditHookOption, { config, ...read(visit) }));
}

async function list(visit: RepositoryVisit, context: Context): Promise<Html> {
  const { view } = visit;
  const text = view.text.manage;
  const page = requestedPage(visit, context.settings);
  const { hooks, total } = await listHooks(context, scopeOf(visit), page);
  const rows = html`<ul class="rows box">${hooks.map(
    ({
      id,
      name,
      url,
      type,
      is_active: isActive,
    }) => html`<li><div><a href="${formPath(visit, 'hooks', String(id))}"><strong>${name || hostOf(url)}</strong></a>
<span class="badge">${type}</span> ${!isActive && html`<span class="badge">${text.inactive}</span>`}</div></li>`,
  )}</ul>`;
  return html`<p>${text.hooksHint}</p>${listOrEmpty(visit, page, { total, rows, empty: text.noHooks })}
<p><a class="button primary" href="${formPath(visit, 'hooks', 'new')}">${text.addHook}</a></p>`;
}

/** Addresses often have a secret in them, so a list shows the host alone. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 100);
}

/** What was typed, as a hook has it. */
function typed(visit: RepositoryVisit): HookShape {
  const { fields } = visit;
  const config = { url: fields.get('url') ?? '', content_type: fields.get('content_type') ?? '', channel: fields.get('channel') ?? '' };
  return { ...read(visit), type: fields.get('type') ?? '', config, events: [...fields.all('events')] };
}

async function newForm(visit: RepositoryVisit, _: Context, problem?: Problem): Promise<Html> {
  const { view } = visit;
  const text = view.text.manage;
  const shown: HookShape = problem ? typed(visit) : { type: 'gitea', active: true, events: ['push'] };
  return html`<h3>${text.addHook}</h3>${problem && fault(problem.error.message)}
${postForm(
  view,
  html`${typeField(view, shown.type ?? '')}${hookFields(view, shown, { isNew: true })}<button class="primary">${text.addHook}</button>`,
  { action: formPath(visit, 'hooks', 'new') },
)}`;
}

async function editForm(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view } = visit;
  const text = view.text.manage;
  const hook = await getHook(context, scopeOf(visit), idOf(visit));
  const own = formPath(visit, 'hooks', String(hook.id));
  const shown = problem?.form === '' ? typed(visit) : presentHook(context, hook);
  return html`<h3>${hook.name || hostOf(hook.url)} <span class="badge">${hook.type}</span></h3>${problem && fault(problem.error.message)}
${postForm(view, html`${hookFields(view, shown, { isNew: false })}<button class="primary">${view.text.common.save}</button>`, { action: own })}
<h3>${text.deliveries}</h3>${await deliveries(visit, context, hook.id)}
<div class="buttons">${actionButton(view, { action: `${own}/tests`, label: text.testHook })}
${actionButton(view, { action: `${own}/delete`, label: text.deleteHook, className: 'danger' })}</div>`;
}

async function deliveries({ view }: RepositoryVisit, context: Context, hookId: number): Promise<Html> {
  const text = view.text.manage;
  const found = await listDeliveries(context, hookId, LISTED);
  if (found.length === 0) return html`<p class="empty">${text.noDeliveries}</p>`;
  return html`<ul class="rows box">${found.map(
    ({ uuid, event, state, status, attempts, answer, created_at: created }) => html`<li><details><summary><strong>${event}</strong>
<span class="badge ${state === 'delivered' ? 'success' : state === 'failed' ? 'danger' : ''}">${text.states[state]}${status !== null && ` ${status}`}</span>
<span class="muted">${timeAgo(view, created)}</span></summary>
<p class="muted"><code>${uuid}</code> · ${text.attempts(attempts)}</p>${answer !== '' && html`<pre>${answer}</pre>`}</details></li>`,
  )}</ul>`;
}
