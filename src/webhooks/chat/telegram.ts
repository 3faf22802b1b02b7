import { escapeHtml } from '../../text/escape-html.ts';
import type { DeliveredEvent } from '../deliveries/events.ts';
import { shortId, wholeMessage } from './commits.ts';
import { bySender, itemOf } from './item.ts';
import type { ChatPayload } from './payload.ts';
import { type Format, type Part, written } from './text.ts';

/** Telegram knows a few elements of HTML. https://core.telegram.org/bots/api#html-style */
const TELEGRAM: Format = {
  text: escapeHtml,
  link: (url, text) => (/^https?:/i.test(url) ? `<a href="${escapeHtml(url)}" rel="nofollow">${escapeHtml(text)}</a>` : escapeHtml(text)),
};

/** A message for Telegram. https://core.telegram.org/bots/api#sendmessage */
export function telegramMessage(event: DeliveredEvent, payload: ChatPayload) {
  const text = written(headline(event, payload), TELEGRAM) + further(event, payload);
  return { text: text.trim(), parse_mode: 'HTML', disable_web_page_preview: true };
}

function headline(event: DeliveredEvent, payload: ChatPayload): readonly Part[] {
  const { headline, kind, namesSender } = itemOf(event, payload);
  // Only the new one of two repositories is linked, and nothing that was deleted.
  const isDeleted = kind === 'repository' && payload.action === 'deleted';
  const parts = headline.map((part, index) =>
    typeof part !== 'string' && (isDeleted || (kind === 'fork' && index === 0)) ? part.text : part,
  );
  return namesSender ? [...parts, ...bySender(payload)] : parts;
}

function further(event: DeliveredEvent, payload: ChatPayload): string {
  const { kind, text } = itemOf(event, payload);
  if (kind === 'push') {
    const lines = (payload.commits ?? []).map((commit) => {
      const author = commit.author ? ` - ${escapeHtml(commit.author.name)}` : '';
      return `\n[${TELEGRAM.link(commit.url, shortId(commit))}] ${escapeHtml(wholeMessage(commit))}${author}`;
    });
    return lines.join('');
  }
  if (kind === 'issue') return `\n\n${escapeHtml(text)}`;
  return kind === 'comment' || kind === 'pull' || kind === 'review' ? `\n${escapeHtml(text)}` : '';
}
