import type { Fields } from '../source/fields.ts';
import { allOf } from '../source/pages.ts';
import type { SourceComment, SourceIssue, SourcePerson, SourceReaction } from '../source/source.ts';
import type { GitHubApi } from './client.ts';

const MAX_REACTIONS = 10_000;

/** A user; undefined for none, such as a deleted one. */
export function readPerson(fields: Fields | undefined): SourcePerson | undefined {
  const name = fields?.text('login', 255) ?? '';
  return fields && name !== '' ? { id: fields.count('id'), name } : undefined;
}

/** The common part of an issue and a pull request. The list does not contain the number of comments of pull requests. */
export function readIssue(api: GitHubApi, fields: Fields): SourceIssue {
  const number = fields.id('number');
  const hasComments = !fields.has('comments') || fields.count('comments') > 0;
  return {
    number,
    author: readPerson(fields.object('user')),
    title: fields.text('title', 10_000),
    body: fields.text('body'),
    ref: '',
    milestone: fields.object('milestone')?.text('title', 1000) ?? '',
    labels: fields.list('labels').map((label) => label.text('name', 1000)),
    assignees: fields.list('assignees').flatMap((user) => readPerson(user) ?? []),
    isClosed: fields.text('state') === 'closed',
    isLocked: fields.flag('locked'),
    pin: 0,
    deadline: undefined,
    createdAt: fields.time('created_at'),
    updatedAt: fields.time('updated_at'),
    closedAt: fields.time('closed_at'),
    assets: [],
    reactions: reactionsOf(api, fields, `issues/${number}/reactions`),
    comments: hasComments ? (cursor) => api.list(`issues/${number}/comments`, cursor, (comment) => readComment(api, comment)) : undefined,
  };
}

function readComment(api: GitHubApi, fields: Fields): SourceComment {
  return {
    kind: 'comment',
    author: readPerson(fields.object('user')),
    body: fields.text('body'),
    createdAt: fields.time('created_at'),
    updatedAt: fields.time('updated_at'),
    assets: [],
    reactions: reactionsOf(api, fields, `issues/comments/${fields.id('id')}/reactions`),
  };
}

/** Lists show how many reactions something has, and only pull requests do not. */
function reactionsOf(api: GitHubApi, fields: Fields, path: string): (() => Promise<SourceReaction[]>) | undefined {
  const summary = fields.object('reactions');
  if (!api.isComplete || summary?.count('total_count') === 0) return undefined;
  return () => allOf(MAX_REACTIONS, (cursor) => api.list(path, cursor, readReaction));
}

function readReaction(fields: Fields): SourceReaction | undefined {
  const author = readPerson(fields.object('user'));
  return author && { author, content: fields.text('content', 100) };
}
