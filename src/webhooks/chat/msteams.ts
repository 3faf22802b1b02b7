import type { DeliveredEvent } from '../deliveries/events.ts';
import { COLORS, hex } from './colors.ts';
import { commitLines } from './commits.ts';
import { itemOf } from './item.ts';
import { repositoryOf } from './items/shared.ts';
import type { ChatPayload } from './payload.ts';
import { PLAIN, written } from './text.ts';

/** A card for Microsoft Teams. https://learn.microsoft.com/outlook/actionable-messages/message-card-reference */
export function teamsMessage(event: DeliveredEvent, payload: ChatPayload) {
  const item = itemOf(event, payload);
  const { sender } = payload;
  const title = written(item.headline, PLAIN);
  const text = item.kind === 'push' ? commitLines(payload).join('\n\n') : item.kind === 'other' ? '' : item.text;
  // What went is nothing to worry about here.
  const color = item.color === COLORS.red && (item.kind === 'ref' || item.kind === 'repository') ? COLORS.yellow : item.color;
  return {
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    themeColor: hex(color),
    title,
    summary: title,
    sections: [
      {
        activityTitle: sender.full_name,
        activitySubtitle: sender.login,
        activityImage: sender.avatar_url,
        facts: [
          ...(payload.repository ? [{ name: 'Repository:', value: repositoryOf(payload).full_name }] : []),
          ...(item.fact ? [item.fact] : []),
        ],
        text,
      },
    ],
    potentialAction: [{ '@type': 'OpenUri', name: 'View in Gitea', targets: [{ os: 'default', uri: item.url }] }],
  };
}
