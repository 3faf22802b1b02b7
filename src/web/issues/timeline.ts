import { pageLinks } from '../components/pages.ts';
import { type Html, html } from '../html.ts';
import { comment } from './comment.ts';
import type { Conversation, ShownEvent, WholeConversation } from './conversation.ts';
import { type EventGroup, eventLine } from './events.ts';
import { projectSentence } from './project-events.ts';

/**
 * Shows rows of a kind in another way, or not at all with `false`: pages of pull requests show reviews and pushes by these. The keys are
 * the types of the API's timeline.
 */
export type EventRenderers = Readonly<Record<string, (event: ShownEvent) => Promise<Html | false> | Html | false>>;

/** So many lines in a row that are not comments are shown; more of them are folded. */
const MAX_LINES = 6;
/** Seconds within which labels that one user changed belong together. */
const TOGETHER = 60;

/** The description, and everything that happened since, oldest first. */
export async function timeline(conversation: WholeConversation, renderers: EventRenderers = {}): Promise<Html> {
  const { visit, events, pages } = conversation;
  const { view } = visit;
  const parts: Html[] = [];
  let lines: Html[] = [];
  const flush = () => {
    if (lines.length > 0) parts.push(folded(conversation, lines));
    lines = [];
  };
  for (const group of grouped(events)) {
    const shown = await block(conversation, group[0], renderers);
    if (shown === undefined) lines.push(eventLine(view, group, projectSentence(conversation, group[0])));
    else if (shown) {
      flush();
      parts.push(shown);
    }
  }
  flush();
  return html`<section class="timeline" aria-label="${view.text.timeline.timeline}">
${pages.page === 1 && (await description(conversation))}${parts}${pageLinks(view, pages)}</section>`;
}

function description(conversation: WholeConversation): Promise<Html> {
  const { visit, issue, shown } = conversation;
  return comment(conversation, {
    id: 0,
    user: shown.user,
    originalAuthor: shown.original_author,
    authorId: issue.author_id,
    body: shown.body,
    createdAt: shown.created_at,
    isEdited: issue.content_version > 0,
    version: issue.content_version,
    files: shown.assets,
    did: visit.view.text.timeline.openedThis,
  });
}

/** A row that is more than a line; undefined for one that is a line, false for none. */
async function block(conversation: WholeConversation, event: ShownEvent, renderers: EventRenderers): Promise<Html | false | undefined> {
  const own = renderers[event.type];
  if (own) return own(event);
  if (event.type !== 'comment') return undefined;
  return eventComment(conversation, event, conversation.visit.view.text.timeline.commented);
}

/** A row that is shown as a comment. @param did the text after the name of its author */
export function eventComment(conversation: WholeConversation, event: ShownEvent, did: string | Html): Promise<Html> {
  const row = conversation.rows.get(event.id);
  return comment(conversation, {
    id: event.id,
    user: event.user,
    originalAuthor: row?.original_author ?? '',
    authorId: row?.author_id ?? 0,
    body: event.body,
    createdAt: event.created_at,
    isEdited: (row?.content_version ?? 0) > 0,
    version: row?.content_version ?? 0,
    files: conversation.files.get(event.id) ?? [],
    did,
  });
}

/** Rows in groups: labels that one user changed at a time are one line. */
function grouped(events: readonly ShownEvent[]): EventGroup[] {
  const groups: [ShownEvent, ...ShownEvent[]][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && belongTogether(last[0], event)) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

function belongTogether(first: ShownEvent, next: ShownEvent): boolean {
  const isSoon = Date.parse(next.created_at) - Date.parse(first.created_at) <= TOGETHER * 1000;
  return first.type === 'label' && next.type === 'label' && first.user?.id === next.user?.id && isSoon;
}

/** Many lines in a row are noise: all but the last ones are folded. */
function folded({ visit: { view } }: Conversation, lines: readonly Html[]): Html {
  if (lines.length <= MAX_LINES) return html`<div class="events">${lines}</div>`;
  const hidden = lines.slice(0, 1 - MAX_LINES);
  return html`<div class="events"><details class="folded"><summary>${view.text.timeline.moreEvents(hidden.length)}</summary>${hidden}</details>
${lines.slice(1 - MAX_LINES)}</div>`;
}
