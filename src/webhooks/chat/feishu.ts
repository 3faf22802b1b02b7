import { createHmac } from 'node:crypto';
import type { DeliveredEvent } from '../deliveries/events.ts';
import { commitLines } from './commits.ts';
import { fullHeadline, itemOf } from './item.ts';
import { matterOf, reviewSays, titleOf } from './items/discussions.ts';
import { shortName } from './items/repositories.ts';
import { repositoryOf } from './items/shared.ts';
import type { ChatPayload } from './payload.ts';
import { PLAIN, written } from './text.ts';

/**
 * A message for Feishu, signed in its own way. https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 * @param seconds now
 */
export function feishuMessage(event: DeliveredEvent, payload: ChatPayload, { secret, seconds }: { secret: string; seconds: number }) {
  const signed = secret === '' ? {} : { timestamp: seconds, sign: createHmac('sha256', `${seconds}\n${secret}`).digest('base64') };
  return { ...signed, msg_type: 'text', content: { text: textOf(event, payload).trim() } };
}

function textOf(event: DeliveredEvent, payload: ChatPayload): string {
  const item = itemOf(event, payload);
  const { kind, text } = item;
  const { full_name: name } = repositoryOf(payload);
  switch (kind) {
    case 'push':
      return `[${name}:${shortName(payload.ref)}] \r\n${commitLines(payload).join('\r\n')}`;
    case 'issue':
    case 'pull':
      return matterText(payload);
    case 'comment':
      return [...head(payload, 'Comment', payload.is_pull === true), '', text].join('\n');
    case 'review':
      return `[${name}] Pull request review ${reviewSays(event)} : ${titleOf(payload)}\r\n\r\n${text}`;
    default:
      return written(fullHeadline(item, payload), PLAIN);
  }
}

function matterText(payload: ChatPayload): string {
  const { action = '', pull_request: pull, sender } = payload;
  const { assignees, body, milestone } = matterOf(payload);
  const names = (assignees ?? []).map(({ login }) => login);
  const lines = head(payload, pull ? 'PullRequest' : 'Issue', pull !== undefined);
  if (names.length > 0) {
    if (action === 'assigned') lines.push(`${sender.login} assign this to ${names.at(-1)}`);
    if (action === 'unassigned') lines.push(`${sender.login} unassigned this for someone`);
    if (action === 'milestoned') lines.push(`${repositoryOf(payload).html_url}/milestone/${milestone?.id ?? ''}`);
    lines.push(`Assignees: ${names.join(', ')}`);
  }
  return [...lines, '', body].join('\n');
}

function head(payload: ChatPayload, what: string, isPull: boolean): string[] {
  const { number, title, html_url: url, user } = matterOf(payload);
  const reference = `${repositoryOf(payload).full_name} #${number}`;
  return [
    `[${what}-${reference}]: ${payload.action ?? ''}`,
    title,
    url,
    `${isPull ? 'PullRequest' : 'Issue'} by ${user.login}`,
    `Operator: ${payload.sender.login}`,
  ];
}
