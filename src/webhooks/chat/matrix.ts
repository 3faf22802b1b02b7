import type { DeliveredEvent } from '../deliveries/events.ts';
import { shortId } from './commits.ts';
import { bySender, itemOf } from './item.ts';
import { matterOf, reviewSays, titleOf } from './items/discussions.ts';
import type { ChatPayload } from './payload.ts';
import { roomHeadline } from './room-headline.ts';
import { HTML, type Part, PLAIN, written } from './text.ts';

/** A message for a room of Matrix. https://spec.matrix.org/latest/client-server-api/#mroommessage-msgtypes */
export function matrixMessage(event: DeliveredEvent, payload: ChatPayload) {
  const parts = headline(event, payload);
  const isPush = itemOf(event, payload).kind === 'push';
  const { commits = [] } = payload;
  const lines = commits.map((commit) => [link(commit.url, shortId(commit)), `: ${commit.message} - ${commit.author?.name ?? ''}`]);
  const html =
    written(parts, HTML) + (isPush ? `<br>${lines.map((line) => written(line, HTML).replaceAll('\n', '<br>')).join('<br>')}` : '');
  const plain = written(parts, AS_MARKDOWN) + (isPush ? `\n${lines.map((line) => written(line, AS_MARKDOWN)).join('\n')}` : '');
  return {
    body: plain,
    msgtype: 'm.notice',
    format: 'org.matrix.custom.html',
    formatted_body: html,
    ...(isPush && commits.length > 0 && { 'io.gitea.commits': commits }),
  };
}

const AS_MARKDOWN = { text: PLAIN.text, link: (url: string, text: string) => `[${text}](${url})` };

function link(url: string, text: string): Part {
  return { url, text };
}

function headline(event: DeliveredEvent, payload: ChatPayload): readonly Part[] {
  return roomHeadline(event, payload, {
    push: (repository, branch) => {
      const { total_commits: total = 0 } = payload;
      const count = total === 1 ? '1 commit' : `${total} commits`;
      return ['[', repository, `] ${payload.pusher?.login ?? payload.sender.login} pushed ${count} to `, branch, ':'];
    },
    review: (repository) => [
      '[',
      repository,
      `] Pull request review ${reviewSays(event)}: `,
      link(matterOf(payload).html_url, titleOf(payload)),
      ...bySender(payload),
    ],
  });
}
