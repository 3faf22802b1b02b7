import type { Context } from '../../context.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute, Requirement } from '../../http/route.ts';
import { replayDelivery } from '../../webhooks/deliveries/replay.ts';
import { HOOK_EVENTS, requestWords } from '../../webhooks/hooks/events.ts';
import { createHook, deleteHook, editHook, getHook, listHooks } from '../../webhooks/hooks/hooks.ts';
import { presentHook } from '../../webhooks/hooks/present.ts';
import { CreateHookOption, EditHookOption } from '../../webhooks/hooks/schema.ts';
import type { HookScope } from '../../webhooks/hooks/scope.ts';
import { fault } from '../components/fault.ts';
import { actionButton, checkBox, postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { deliveryList, deliveryPage } from './deliveries.ts';
import { type HookShape, hookFields, serviceName, typeField } from './hook-form.ts';
import type { Problem, Section } from './section.ts';

const MAX_BYTES = 64 * 1024;

/** Whose hooks a page is about. */
interface HookOwner<V extends Visit> {
  readonly needs: readonly Requirement[];
  readonly scope: (visit: V) => HookScope;
  /** A sentence above the list. */
  readonly hint: (visit: V) => string;
  /** Sends a test event; undefined if there is none. */
  readonly test?: (visit: V, context: Context, hook: Webhook) => Promise<void>;
  /** Hooks are copied to new repositories unless a box says that they get all events. */
  readonly ofInstance?: boolean;
}

/** The webhooks of a repository, an organization, an account or the instance. */
export function hookPages<V extends Visit>(section: Section<V>, owner: HookOwner<V>): readonly AnyRoute[] {
  const { needs, test } = owner;
  const found = (visit: V, context: Context) => getHook(context, owner.scope(visit), pathId(visit.params.id ?? ''));
  const common = { needs, maxBytes: MAX_BYTES };
  return [
    ...section.pages({ ...common, show: (visit, context) => list(section, owner, visit, context) }),
    ...section.pages({
      ...common,
      sub: 'new',
      show: async (visit, _, problem) => newForm(section, owner, visit, problem),
      forms: { '': { send: (visit, context) => create(owner, visit, context) } },
    }),
    ...section.pages({
      ...common,
      sub: ':id(^[0-9]+$)',
      show: (visit, context, problem) => editForm(section, owner, visit, context, problem),
      forms: {
        '': { send: (visit, context) => edit(owner, visit, context) },
        delete: {
          isOneTransaction: true,
          send: (visit, context) => deleteHook(context, owner.scope(visit), pathId(visit.params.id ?? '')),
        },
        'replay/:uuid': {
          send: async (visit, context) => {
            const hook = await found(visit, context);
            await replayDelivery(context, hook, visit.params.uuid ?? '');
            return section.address(visit, String(hook.id));
          },
        },
        ...(test && {
          tests: {
            send: async (visit: V, context: Context) => {
              const hook = await found(visit, context);
              await test(visit, context, hook);
              return section.address(visit, String(hook.id));
            },
          },
        }),
      },
    }),
    ...section.pages({
      ...common,
      sub: ':id(^[0-9]+$)/deliveries/:uuid',
      show: async (visit, context) => deliveryPage(section, visit, context, await found(visit, context)),
    }),
  ];
}

/** The changeable fields of a hook's form. */
function read({ fields }: Visit) {
  const all = HOOK_EVENTS.filter((event) => fields.all('events').includes(event));
  return {
    name: fields.get('name') ?? '',
    branch_filter: fields.get('branch_filter') ?? '',
    authorization_header: fields.get('authorization_header') ?? '',
    active: fields.get('active') === 'on',
    events: requestWords(all),
  };
}

async function create<V extends Visit>(owner: HookOwner<V>, visit: V, context: Context): Promise<void> {
  const { fields } = visit;
  const channel = fields.get('channel')?.trim();
  const secret = fields.get('secret') ?? '';
  const config = {
    url: fields.get('url')?.trim() ?? '',
    content_type: fields.get('content_type') ?? '',
    secret,
    ...(channel && { channel }),
    ...(owner.ofInstance && { is_system_webhook: String(fields.get('is_system') === 'on') }),
  };
  const options = bindValue(CreateHookOption, { type: fields.get('type') ?? '', config, ...read(visit) });
  await createHook(context, owner.scope(visit), options);
}

async function edit<V extends Visit>(owner: HookOwner<V>, visit: V, context: Context): Promise<void> {
  const { fields } = visit;
  const config = { url: fields.get('url')?.trim() ?? '', content_type: fields.get('content_type') ?? '' };
  await editHook(context, owner.scope(visit), pathId(visit.params.id ?? ''), bindValue(EditHookOption, { config, ...read(visit) }));
}

async function list<V extends Visit>(section: Section<V>, owner: HookOwner<V>, visit: V, context: Context): Promise<Html> {
  const { view } = visit;
  const text = view.text.manage;
  const page = requestedPage(visit, context.settings);
  const { hooks, total } = await listHooks(context, owner.scope(visit), page);
  const rows = html`<ul class="rows box">${hooks.map(
    ({
      id,
      name,
      url,
      type,
      is_active: isActive,
      is_system: isSystem,
    }) => html`<li><div><a href="${section.href(visit, String(id))}"><strong>${name || hostOf(url)}</strong></a>
<span class="badge">${serviceName(type)}</span> ${owner.ofInstance && html`<span class="badge">${isSystem ? text.systemHook : text.defaultHook}</span> `}${!isActive && html`<span class="badge">${text.inactive}</span>`}</div></li>`,
  )}</ul>`;
  return html`<p>${owner.hint(visit)}</p>${listOrEmpty(visit, page, { total, rows, empty: text.noHooks })}
<p><a class="button primary" href="${section.href(visit, 'new')}">${text.addHook}</a></p>`;
}

/** Addresses often have a secret in them, so a list shows the host alone. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 100);
}

/** The input, in the format of a hook. */
function typed(visit: Visit): HookShape {
  const { fields } = visit;
  const config = { url: fields.get('url') ?? '', content_type: fields.get('content_type') ?? '', channel: fields.get('channel') ?? '' };
  return { ...read(visit), type: fields.get('type') ?? '', config, events: [...fields.all('events')] };
}

function newForm<V extends Visit>(section: Section<V>, owner: HookOwner<V>, visit: V, problem?: Problem): Html {
  const { view, fields } = visit;
  const text = view.text.manage;
  const isSystem = problem ? fields.get('is_system') === 'on' : fields.get('kind') === 'system';
  const shown: HookShape = problem ? typed(visit) : { type: fields.get('type') ?? 'gitea', active: true, events: ['push'] };
  return html`${section.heading(text.addHook)}${problem && fault(view, problem.error.message)}
${postForm(
  view,
  html`${typeField(view, shown.type ?? '')}${hookFields(view, shown, { isNew: true })}
${owner.ofInstance && checkBox({ name: 'is_system', label: text.isSystemHook, hint: text.isSystemHookHint, isChecked: isSystem })}<button class="primary">${text.addHook}</button>`,
  { action: section.href(visit, 'new') },
)}`;
}

async function editForm<V extends Visit>(
  section: Section<V>,
  owner: HookOwner<V>,
  visit: V,
  context: Context,
  problem?: Problem,
): Promise<Html> {
  const { view } = visit;
  const text = view.text.manage;
  const hook = await getHook(context, owner.scope(visit), pathId(visit.params.id ?? ''));
  const own = section.href(visit, String(hook.id));
  const shown = problem?.form === '' ? typed(visit) : presentHook(context, hook);
  const save = html`${hookFields(view, shown, { isNew: false })}<button class="primary">${view.text.common.save}</button>`;
  return html`${section.heading(html`${hook.name || hostOf(hook.url)} <span class="badge">${serviceName(hook.type)}</span>`)}${problem && fault(view, problem.error.message)}
${postForm(view, save, { action: own })}
${section.heading(text.deliveries)}${await deliveryList(visit, context, hook, own)}
<div class="buttons">${owner.test && actionButton(view, { action: `${own}/tests`, label: text.testHook })}
${actionButton(view, { action: `${own}/delete`, label: text.deleteHook, className: 'danger' })}</div>`;
}
