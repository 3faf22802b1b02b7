import { createHash } from 'node:crypto';
import { now } from '../../clock.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import { dingtalkMessage } from '../chat/dingtalk.ts';
import { discordMessage } from '../chat/discord.ts';
import { feishuMessage } from '../chat/feishu.ts';
import { matrixMessage } from '../chat/matrix.ts';
import { teamsMessage } from '../chat/msteams.ts';
import type { ChatPayload } from '../chat/payload.ts';
import { slackMessage } from '../chat/slack.ts';
import { telegramMessage } from '../chat/telegram.ts';
import { wechatworkMessage } from '../chat/wechatwork.ts';
import type { DeliveredEvent } from './events.ts';

/** The content of a delivery. */
export interface Matter {
  event: DeliveredEvent;
  /** JSON, as for the type `gitea`. */
  payload: string;
  secret: string;
}

/** A request that a receiver of the hook's type understands. */
export interface DeliveryRequest {
  method: 'POST' | 'PUT';
  url: string;
  /** The content type. */
  type: string;
  body: string;
  /** The input of the signatures in the headers; undefined for services without such headers. */
  signed?: string;
}

/** Builds the request of a delivery for the type of a hook. */
export function buildRequest(hook: Webhook, matter: Matter): DeliveryRequest {
  if (hook.type === 'gitea' || hook.type === 'gogs') return plain(hook, matter);
  const payload = JSON.parse(matter.payload) as ChatPayload;
  const body = JSON.stringify(message(hook, matter, payload), null, 2);
  const made = { method: 'POST', url: hook.url, type: 'application/json', body } as const;
  if (hook.type === 'feishu') return made;
  // The same message is the same transaction, so that it is there once. https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
  if (hook.type === 'matrix') {
    return { ...made, method: 'PUT', url: `${hook.url}/${createHash('sha1').update(body).digest('hex')}`, signed: body };
  }
  return { ...made, signed: body };
}

function message(hook: Webhook, { event, secret }: Matter, payload: ChatPayload): object {
  switch (hook.type) {
    case 'slack':
      return slackMessage(event, payload, hook.slack);
    case 'discord':
      return discordMessage(event, payload);
    case 'msteams':
      return teamsMessage(event, payload);
    case 'telegram':
      return telegramMessage(event, payload);
    case 'dingtalk':
      return dingtalkMessage(event, payload);
    case 'feishu':
      return feishuMessage(event, payload, { secret, seconds: now() });
    case 'wechatwork':
      return wechatworkMessage(event, payload);
    case 'matrix':
      return matrixMessage(event, payload);
    default:
      // https://packagist.org/about#how-to-update-packages
      return { repository: { url: event === 'push' ? (payload.repository?.html_url ?? '') : '' } };
  }
}

/** The payload itself, or a form with it as the only field; signed is the payload. */
function plain(hook: Webhook, { payload }: Matter): DeliveryRequest {
  const common = { method: 'POST', url: hook.url, signed: payload } as const;
  if (hook.content_type === 'json') return { ...common, type: 'application/json', body: payload };
  return { ...common, type: 'application/x-www-form-urlencoded', body: new URLSearchParams({ payload }).toString() };
}
