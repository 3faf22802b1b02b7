import type { Shape } from '../../http/schema.ts';
import { HOOK_EVENTS } from '../../webhooks/hooks/events.ts';
import type { Hook } from '../../webhooks/hooks/schema.ts';
import { HOOK_TYPES, type HookType, isHookType } from '../../webhooks/hooks/types.ts';
import { checkBox, field, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** The values of a hook's form. */
export type HookShape = Partial<Omit<Shape<typeof Hook>, 'events'>> & { readonly events?: readonly string[] | null | undefined };

/** The names that services have for themselves. */
const SERVICES: Readonly<Record<HookType, string>> = {
  gitea: 'Gitea',
  gogs: 'Gogs',
  slack: 'Slack',
  discord: 'Discord',
  dingtalk: 'DingTalk',
  telegram: 'Telegram',
  msteams: 'Microsoft Teams',
  feishu: 'Feishu / Lark',
  matrix: 'Matrix',
  wechatwork: 'WeCom',
  packagist: 'Packagist',
};

/** The name of the service of a hook. */
export function serviceName(type: string): string {
  return isHookType(type) ? SERVICES[type] : type;
}

/** An event in words; one that is not known, of an older delivery, by its name. */
export function eventLabel({ text: { hookEvents } }: View, event: string): string {
  return Object.hasOwn(hookEvents, event) ? hookEvents[event as keyof typeof hookEvents] : event;
}

/** The service that the payload format is for. */
export function typeField(view: View, type: string): Html {
  return select({ name: 'type', label: view.text.manage.hookType, value: type, options: HOOK_TYPES.map((name) => [name, SERVICES[name]]) });
}

/** The fields of a hook. Its secret is given once, and never shown. */
export function hookFields(view: View, shown: HookShape, { isNew }: { isNew: boolean }): Html {
  const text = view.text.manage;
  const config: Readonly<Record<string, string>> = shown.config ?? {};
  const events = shown.events ?? [];
  const formats = [['json', 'application/json'] as const, ['form', 'application/x-www-form-urlencoded'] as const];
  return html`${field({ name: 'url', label: text.hookUrl, value: config.url, type: 'url', isRequired: true, maxLength: 2048 })}
${field({ name: 'name', label: text.hookName, value: shown.name, maxLength: 255 })}
${select({ name: 'content_type', label: text.contentType, value: config.content_type ?? 'json', options: formats })}
${isNew && field({ name: 'secret', label: text.secret, type: 'password', autocomplete: 'new-password', hint: text.secretHint })}
${isNew && field({ name: 'channel', label: text.channel, value: config.channel, hint: text.channelHint })}
${field({ name: 'branch_filter', label: text.branchFilter, value: shown.branch_filter, hint: text.branchFilterHint })}
${field({ name: 'authorization_header', label: text.authorization, value: shown.authorization_header, autocomplete: 'off' })}
<fieldset class="hook-events"><legend>${text.events}</legend>${HOOK_EVENTS.map((event) =>
    checkBox({ name: 'events', value: event, label: eventLabel(view, event), isChecked: events.includes(event) }),
  )}</fieldset>
${checkBox({ name: 'active', label: text.isActive, isChecked: shown.active ?? false })}`;
}
