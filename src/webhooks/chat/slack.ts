import type { SlackOptions } from '../../database/tables/webhooks.ts';
import type { DeliveredEvent } from '../deliveries/events.ts';
import { hex } from './colors.ts';
import { firstLine, shortId } from './commits.ts';
import { bySender, itemOf } from './item.ts';
import { matterOf, reviewSays, titleOf } from './items/discussions.ts';
import { shortName } from './items/repositories.ts';
import { repositoryOf } from './items/shared.ts';
import type { ChatPayload } from './payload.ts';
import { escapePath, type Format, type Part, written } from './text.ts';

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
  const item = itemOf(event, payload);
  const { full_name: name, html_url: url } = repositoryOf(payload);
  const repository: Part = { url, text: name };
  const { login } = payload.sender;
  switch (item.kind) {
    case 'ref':
      if (event === 'delete') return ['[', repository, `:${shortName(payload.ref)}] ${payload.ref_type ?? ''} deleted by ${login}`];
      return ['[', repository, ':', refLink(payload), `] ${payload.ref_type ?? ''} created by ${login}`];
    case 'push': {
      const { compare_url: compare = '', total_commits: total = 0 } = payload;
      const count = total === 1 ? '1 new commit' : `${total} new commits`;
      const commits: Part = compare === '' ? count : { url: compare, text: count };
      return ['[', repository, ':', refLink(payload), '] ', commits, ` pushed by ${payload.pusher?.login ?? login}`];
    }
    case 'review': {
      const link = `${url}/pulls/${matterOf(payload).number}`;
      return ['[', repository, `] Pull request review ${reviewSays(event)}: [${titleOf(payload)}](${link})`, ...bySender(payload)];
    }
    case 'repository':
      return [...item.headline, ...bySender(payload)];
    default:
      return item.namesSender ? [...item.headline, ...bySender(payload)] : item.headline;
  }
}

/** A name alone, as the news of new branches have it, is looked for among commits; that is how clients know it. */
function refLink(payload: ChatPayload): Part {
  const { ref = '' } = payload;
  const kind = /^refs\/(heads|tags)\//.exec(ref)?.[1];
  const folder = kind === 'heads' ? 'branch' : kind === 'tags' ? 'tag' : 'commit';
  const text = shortName(ref);
  return { url: `${repositoryOf(payload).html_url}/src/${folder}/${escapePath(text)}`, text };
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
