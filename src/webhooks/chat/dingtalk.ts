import type { DeliveredEvent } from '../deliveries/events.ts';
import { commitLines } from './commits.ts';
import { fullHeadline, itemOf } from './item.ts';
import { reviewSays, titleOf } from './items/discussions.ts';
import { repositoryOf } from './items/shared.ts';
import type { ChatPayload } from './payload.ts';
import { PLAIN, written } from './text.ts';

/** Opens a URL in the browser: the program itself can only show public ones. */
const OPEN = 'dingtalk://dingtalkclient/page/link?pc_slide=false&url=';

/** A card for DingTalk. https://open.dingtalk.com/document/robots/custom-robot-access */
export function dingtalkMessage(event: DeliveredEvent, payload: ChatPayload) {
  const item = itemOf(event, payload);
  const { kind, title, text, url, button } = item;
  const line =
    kind === 'review'
      ? `[${repositoryOf(payload).full_name}] Pull request review ${reviewSays(event)} : ${titleOf(payload)}`
      : written(fullHeadline(item, payload), PLAIN);
  const hasText = kind === 'issue' || kind === 'comment' || kind === 'pull' || kind === 'review';
  const body = kind === 'push' ? commitLines(payload).join('\r\n') : hasText ? `${line}\r\n\r\n${text}` : line;
  if (url === '') return frame({ msgtype: 'text', text: { content: line } });
  return frame({
    msgtype: 'actionCard',
    actionCard: {
      ...NO_CARD,
      text: body.trim(),
      title: (title ?? line).trim(),
      hideAvatar: '0',
      singleTitle: button,
      singleURL: OPEN + encodeURIComponent(url).replaceAll('%20', '+'),
    },
  });
}

const NO_CARD = { text: '', title: '', hideAvatar: '', btnOrientation: '', singleTitle: '', singleURL: '', btns: null };

/** Every kind of message has the fields of all others. */
function frame(message: { msgtype: string; text?: { content: string }; actionCard?: typeof NO_CARD | object }) {
  return {
    msgtype: message.msgtype,
    text: message.text ?? { content: '' },
    link: { text: '', title: '', picUrl: '', messageUrl: '' },
    markdown: { text: '', title: '' },
    actionCard: message.actionCard ?? NO_CARD,
    feedCard: { links: null },
    at: { atMobiles: null, isAtAll: false },
  };
}
