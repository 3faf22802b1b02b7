import type { Context } from '../../context.ts';
import type { Webhook, WebhookDelivery } from '../../database/tables/webhooks.ts';
import { SecretsError } from '../../secrets.ts';
import { listDeliveries } from '../../webhooks/deliveries/list.ts';
import { getDelivery } from '../../webhooks/deliveries/replay.ts';
import { requestOf } from '../../webhooks/deliveries/send.ts';
import { actionButton } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import type { View } from '../view.ts';
import { eventLabel } from './hook-form.ts';
import type { Section } from './section.ts';

/** Deliveries that the page of a hook lists. */
const LISTED = 30;
/** Request headers that authenticate the sender, which no page shows. */
const SECRET_HEADERS = /^(?:authorization|x-.*-signature(?:-256)?)$/i;

/** The newest deliveries of a hook. @param own the path of the hook */
export async function deliveryList({ view }: Visit, context: Context, hook: Webhook, own: string): Promise<Html> {
  const text = view.text.manage;
  const found = await listDeliveries(context, hook.id, LISTED);
  if (found.length === 0) return html`<p class="empty">${text.noDeliveries}</p>`;
  return html`<ul class="rows box">${found.map(
    (
      delivery,
    ) => html`<li><div><a href="${own}/deliveries/${delivery.uuid}"><strong>${eventLabel(view, delivery.event)}</strong></a> ${state(view, delivery)}
<span class="muted">${timeAgo(view, delivery.created_at)}</span></div>
${delivery.is_kept && html`<span class="push">${replayButton(view, own, delivery.uuid)}</span>`}</li>`,
  )}</ul>`;
}

/** The request and the response of a delivery. */
export async function deliveryPage<V extends Visit>(section: Section<V>, visit: V, context: Context, hook: Webhook): Promise<Html> {
  const { view } = visit;
  const text = view.text.manage;
  const delivery = await getDelivery(context, hook, visit.params.uuid ?? '');
  const own = section.href(visit, String(hook.id));
  const { answer, answer_headers: headers, attempts, is_kept: isKept, uuid } = delivery;
  return html`${section.heading(html`${eventLabel(view, delivery.event)} ${state(view, delivery)}`)}
<p><a href="${own}">${text.backToHook}</a> · <code>${uuid}</code> · ${timeAgo(view, delivery.created_at)} · ${text.attempts(attempts)}</p>
${isKept && replayButton(view, own, uuid)}
${section.heading(text.request)}${isKept ? await request(view, context, hook, delivery) : html`<p class="empty">${text.requestGone}</p>`}
${section.heading(text.response)}${headers !== '' && block(text.headers, headers)}${answer !== '' && block(text.body, answer)}
${headers === '' && answer === '' && html`<p class="empty">${text.noResponse}</p>`}`;
}

function replayButton(view: View, own: string, uuid: string): Html {
  return actionButton(view, { action: `${own}/replay/${uuid}`, label: view.text.manage.redeliver });
}

function state({ text }: View, { state, status }: Pick<WebhookDelivery, 'state' | 'status'>): Html {
  const kind = { delivered: 'success', failed: 'danger', waiting: '' }[state];
  return html`<span class="badge ${kind}">${text.manage.states[state]}${status !== null && ` ${status}`}</span>`;
}

async function request(view: View, context: Context, hook: Webhook, delivery: WebhookDelivery): Promise<Html> {
  const text = view.text.manage;
  try {
    const { method, url, headers, body } = await requestOf(context, hook, delivery);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${SECRET_HEADERS.test(name) && value ? '***' : value}`);
    return html`${block(text.headers, [`${method} ${url}`, ...lines].join('\n'))}${block(text.body, body)}`;
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    return html`<p class="empty">${text.requestGone}</p>`;
  }
}

function block(label: string, content: string): Html {
  return html`<details open><summary>${label}</summary><pre class="box content" tabindex="0">${content}</pre></details>`;
}
