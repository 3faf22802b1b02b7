import type { SlackOptions } from '../../database/tables/webhooks.ts';
import type { DeliveredEvent } from '../deliveries/events.ts';
import { hex } from './colors.ts';
import { firstLine, shortId } from './commits.ts';
import { bySender, itemOf } from './item.ts';
import { matterOf, reviewSays, titleOf } from './items/discussions.ts';
import { repositoryOf } from './items/shared.ts';
import type { ChatPayload } from './payload.ts';
import { roomHeadline } from './room-headline.ts';
import { type Format, type Part, written } from './text.ts';

interface Attachment {
  fallback: '';
  color: string;
  title: string;
  title_link: string;
  text: string;
}

/** https://docs.slack.dev/messaging/formatting-message-text */
const SLACK: Format = { text: escapeMarkup, link: (url, text) => `<${url}|${escapeMarkup(text)}>` };

/** A message for Slack. https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
export function slackMessage(event: DeliveredEvent, payload: ChatPayload, options: SlackOptions | null) {
  const { channel = '', username = '', icon_url = '', color = '' } = options ?? {};
  return {
    channel,
    text: written(headline(event, payload), SLACK),
    username,
    icon_url,
    unfurl_links: 0,
    link_names: 0,
    attachments: attachments(event, payload, color),
  };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function headline(event: DeliveredEvent, payload: ChatPayload): readonly Part[] {
  return roomHeadline(event, payload, {
    push: (repository, branch) => {
      const { compare_url: compare = '', total_commits: total = 0 } = payload;
      const count = total === 1 ? '1 new commit' : `${total} new commits`;
      const commits: Part = compare === '' ? count : { url: compare, text: count };
      return ['[', repository, ':', branch, '] ', commits, ` pushed by ${payload.pusher?.login ?? payload.sender.login}`];
    },
    review: (repository) => {
      const link = `${repositoryOf(payload).html_url}/pulls/${matterOf(payload).number}`;
      return ['[', repository, `] Pull request review ${reviewSays(event)}: [${titleOf(payload)}](${link})`, ...bySender(payload)];
    },
  });
}

function attachments(event: DeliveredEvent, payload: ChatPayload, pushColor: string): Attachment[] | null {
  const item = itemOf(event, payload);
  const { html_url: page } = repositoryOf(payload);
  if (item.kind === 'push') {
    const lines = (payload.commits ?? []).map((commit) => {
      return `${SLACK.link(commit.url, shortId(commit))}: ${escapeMarkup(firstLine(commit))} - ${escapeMarkup(commit.author?.name ?? '')}`;
    });
    return [{ fallback: '', color: pushColor, title: page, title_link: page, text: lines.join('\n') }];
  }
  const isComment = item.kind === 'comment';
  if (!isComment && ((item.kind !== 'issue' && item.kind !== 'pull') || item.text === '')) return null;
  const title = item.title ?? '';
  return [
    {
      fallback: '',
      color: hex(item.color),
      title: isComment ? title : escapeMarkup(title),
      title_link: item.url,
      text: escapeMarkup(item.text),
    },
  ];
}
