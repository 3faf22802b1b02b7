import { type Fields, fieldsOf } from '../source/fields.ts';
import { allOf } from '../source/pages.ts';
import type { SourceAsset, SourceComment, SourceIssue, SourcePage, SourceReaction } from '../source/source.ts';
import type { GiteaApi } from './client.ts';
import { readPerson } from './people.ts';

const MAX_REACTIONS = 10_000;

/** The common part of an issue and a pull request. */
export function readIssue(api: GiteaApi, fields: Fields): SourceIssue {
  const number = fields.id('number');
  return {
    number,
    author: readPerson(fields.object('user')),
    title: fields.text('title', 10_000),
    body: fields.text('body'),
    ref: fields.text('ref', 1000),
    milestone: fields.object('milestone')?.text('title', 1000) ?? '',
    labels: fields.list('labels').map((label) => label.text('name', 1000)),
    assignees: fields.list('assignees').flatMap((user) => readPerson(user) ?? []),
    isClosed: fields.text('state') === 'closed',
    isLocked: fields.flag('is_locked'),
    pin: fields.count('pin_order'),
    deadline: fields.time('due_date'),
    createdAt: fields.time('created_at'),
    updatedAt: fields.time('updated_at'),
    closedAt: fields.time('closed_at'),
    assets: readAssets(api, fields.list('assets')),
    reactions: () => readAllReactions(api, number),
    comments: fields.count('comments') > 0 ? () => readComments(api, number) : undefined,
  };
}

async function readAllReactions(api: GiteaApi, number: number): Promise<SourceReaction[]> {
  const all = await allOf(MAX_REACTIONS, (cursor) => api.list(`issues/${number}/reactions`, cursor, readReaction));
  return all.flatMap((reaction) => reaction ?? []);
}

function readReaction(fields: Fields): SourceReaction | undefined {
  const author = readPerson(fields.object('user'));
  return author && { author, content: fields.text('content', 100) };
}

/** The server sends all comments of an issue at once, whatever the page. */
async function readComments(api: GiteaApi, number: number): Promise<SourcePage<SourceComment>> {
  const { json } = await api.client.get(`${api.path}/issues/${number}/comments`);
  const known = new Set<number>();
  const items = fieldsOf(json, 'comments').flatMap((fields): SourceComment[] => {
    const id = fields.id('id');
    if (known.has(id)) return [];
    known.add(id);
    const comment: SourceComment = {
      kind: 'comment',
      author: readPerson(fields.object('user')),
      body: fields.text('body'),
      createdAt: fields.time('created_at'),
      updatedAt: fields.time('updated_at'),
      assets: readAssets(api, fields.list('assets')),
      reactions: async () => {
        const found = await api.client.get(`${api.path}/issues/comments/${id}/reactions`);
        return fieldsOf(found.json, 'reactions').flatMap((reaction) => readReaction(reaction) ?? []);
      },
    };
    return [comment];
  });
  return { items, next: undefined };
}

/** Files. They are fetched from the server of the API alone: nobody else's are named there, unless the server is hostile. */
export function readAssets(api: GiteaApi, list: readonly Fields[]): SourceAsset[] {
  return list.map((fields) => {
    const url = fields.text('browser_download_url', 4096);
    return {
      name: fields.text('name', 1000),
      downloadCount: fields.count('download_count'),
      createdAt: fields.time('created_at'),
      open: () => api.client.open(url),
    };
  });
}
