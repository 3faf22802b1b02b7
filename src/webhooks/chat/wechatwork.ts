import type { DeliveredEvent } from '../deliveries/events.ts';
import { shortId } from './commits.ts';
import { fullHeadline, itemOf } from './item.ts';
import { reviewSays, titleOf } from './items/discussions.ts';
import { shortName } from './items/repositories.ts';
import { repositoryOf } from './items/shared.ts';
import type { ChatPayload } from './payload.ts';
import { PLAIN, written } from './text.ts';

/** A message for WeCom. https://developer.work.weixin.qq.com/document/path/91770 */
export function wechatworkMessage(event: DeliveredEvent, payload: ChatPayload) {
  return {
    msgtype: 'markdown',
    text: { content: '', mentioned_list: null, mentioned_mobile_list: null },
    markdown: { content: contentOf(event, payload) },
  };
}

function contentOf(event: DeliveredEvent, payload: ChatPayload): string {
  const item = itemOf(event, payload);
  const { full_name: name } = repositoryOf(payload);
  const line = written(fullHeadline(item, payload), PLAIN);
  const { text, title = '', url } = item;
  switch (item.kind) {
    case 'push':
      return `# ${name}:${shortName(payload.ref)} ${colored('warning', '    ')}\r\n\r\n${commits(payload)}`;
    case 'issue':
      return ` >${colored('info', line)}\n >${text} \n >${colored('warning', ` ${title}`)} \n [${url}](${url})`;
    case 'comment':
      return ` >${colored('info', line)}\n >${text} \n >${colored('warning', title)} \n [${url}](${url})`;
    case 'pull':
      return `> ${colored('info', ` ${line} `)} \r\n > ${colored('comment', `${title} `)} \r\n > ${colored('comment', `${text} `)} \r\n`;
    case 'review':
      return `# [${name}] Pull request review ${reviewSays(event)} : ${titleOf(payload)}\r\n\r\n >${text}`;
    default:
      return line;
  }
}

function colored(color: 'info' | 'warning' | 'comment', text: string): string {
  return `<font color="${color}">${text}</font>`;
}

function commits({ commits = [] }: ChatPayload): string {
  return commits
    .map((commit) => {
      const message = colored('info', commit.message.replaceAll('\n\n', '\r\n'));
      const author = colored('warning', commit.author ? `Author: ${commit.author.name}` : '');
      return ` > [${shortId(commit)}](${commit.url}) \r\n >${message} \n >${author}`;
    })
    .join('\n');
}
