import type { DeliveredEvent } from '../deliveries/events.ts';
import { commitLines, firstLine } from './commits.ts';
import { itemOf } from './item.ts';
import type { ChatCommit, ChatPayload } from './payload.ts';
import { PLAIN, written } from './text.ts';

/** Discord takes 4096 characters, but counts some of them several times. https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
const MAX_TEXT = 2000;
const MAX_MESSAGE = 50;

/** A message for Discord. https://discord.com/developers/docs/resources/webhook#execute-webhook */
export function discordMessage(event: DeliveredEvent, payload: ChatPayload) {
  const { headline, kind, text, url, color } = itemOf(event, payload);
  const { login: name, html_url: page, avatar_url: icon } = payload.sender;
  const description = kind === 'push' ? commitLines(payload, shortMessage).join('\n') : text;
  return {
    tts: false,
    embeds: [
      {
        title: written(headline, PLAIN),
        description: cut(description, MAX_TEXT, '…'),
        url,
        color,
        author: { name, url: page, icon_url: icon },
      },
    ],
  };
}

function shortMessage(commit: ChatCommit): string {
  return cut(firstLine(commit), MAX_MESSAGE, '...');
}

/** Truncates a text to this many characters, with an ellipsis. */
function cut(text: string, max: number, sign: string): string {
  const characters = [...text];
  return characters.length <= max ? text : characters.slice(0, max - sign.length).join('') + sign;
}
