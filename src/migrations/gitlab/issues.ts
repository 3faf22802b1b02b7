import type { Fields } from '../source/fields.ts';
import { allOf } from '../source/pages.ts';
import type { SourceComment, SourceIssue, SourcePage, SourcePerson, SourceReaction } from '../source/source.ts';
import type { GitLabApi } from './client.ts';

/** Emoji that have another name here. */
const REACTIONS: Readonly<Record<string, string>> = {
  thumbsup: '+1',
  thumbsdown: '-1',
  smile: 'laugh',
  laughing: 'laugh',
  tada: 'hooray',
};

const MAX_REACTIONS = 10_000;

/** A user; undefined for none. */
export function readPerson(fields: Fields | undefined): SourcePerson | undefined {
  const name = fields?.text('username', 255) ?? '';
  return fields && name !== '' ? { id: fields.count('id'), name } : undefined;
}

/** An issue. */
export function readIssue(api: GitLabApi, fields: Fields): SourceIssue {
  const number = fields.id('iid');
  return readCommon(api, fields, number, `issues/${number}`);
}

/**
 * The common part of issues and merge requests.
 * @param number the number here
 * @param path its path relative to the project
 */
export function readCommon(api: GitLabApi, fields: Fields, number: number, path: string): SourceIssue {
  return {
    number,
    author: readPerson(fields.object('author')),
    title: fields.text('title', 10_000),
    body: fields.text('description'),
    ref: '',
    milestone: fields.object('milestone')?.text('title', 1000) ?? '',
    labels: fields.texts('labels'),
    assignees: fields.list('assignees').flatMap((user) => readPerson(user) ?? []),
    isClosed: ['closed', 'merged'].includes(fields.text('state', 20)),
    isLocked: fields.flag('discussion_locked') || fields.text('state', 20) === 'locked',
    pin: 0,
    deadline: fields.time('due_date'),
    createdAt: fields.time('created_at'),
    updatedAt: fields.time('updated_at'),
    closedAt: fields.time('closed_at'),
    assets: [],
    reactions: () => readReactions(api, `${path}/award_emoji`),
    comments: (cursor) => readDiscussions(api, path, cursor),
  };
}

async function readReactions(api: GitLabApi, path: string): Promise<SourceReaction[]> {
  const read = (fields: Fields) => {
    const author = readPerson(fields.object('user'));
    const name = fields.text('name', 100);
    return author && { author, content: REACTIONS[name] ?? name };
  };
  const all = await allOf(MAX_REACTIONS, (cursor) => api.list(path, cursor, read));
  return all.flatMap((reaction) => reaction ?? []);
}

/** First the pages of discussions, then those of changes of the state, whose cursors begin with `s`. */
async function readDiscussions(api: GitLabApi, path: string, cursor: string): Promise<SourcePage<SourceComment>> {
  if (cursor.startsWith('s')) {
    const page = await api.list(`${path}/resource_state_events`, cursor.slice(1), readStateEvent);
    return { items: page.items.flatMap((event) => event ?? []), next: page.next && `s${page.next}` };
  }
  const page = await api.list(`${path}/discussions`, cursor, (fields) => fields.list('notes'));
  const notes = page.items.flat().filter((note) => !isOnCode(note));
  return { items: notes.map(readNote), next: page.next ?? 's' };
}

/** Whether a note is about a line of code: such notes are comments of reviews here. */
export function isOnCode(note: Fields): boolean {
  return note.text('type', 50) === 'DiffNote' && note.has('position');
}

function readNote(fields: Fields): SourceComment {
  const body = fields.text('body');
  const createdAt = fields.time('created_at');
  const common = { author: readPerson(fields.object('author')), createdAt, updatedAt: fields.time('updated_at') ?? createdAt, assets: [] };
  const [, from, to] = fields.flag('system') ? (/^changed target branch from `([^`]*)` to `([^`]*)`$/.exec(body) ?? []) : [];
  if (from !== undefined && to !== undefined) return { ...common, kind: 'change_target_branch', body: '', from, to };
  return { ...common, kind: 'comment', body };
}

const STATES: Readonly<Record<string, 'close' | 'reopen' | 'merge_pull'>> = { closed: 'close', reopened: 'reopen', merged: 'merge_pull' };

function readStateEvent(fields: Fields): SourceComment | undefined {
  const kind = STATES[fields.text('state', 50)];
  const createdAt = fields.time('created_at');
  return kind && { kind, author: readPerson(fields.object('user')), body: '', createdAt, updatedAt: createdAt, assets: [] };
}
