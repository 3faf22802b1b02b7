import type { Fields } from '../source/fields.ts';
import { onlyPage } from '../source/lists.ts';
import type { SourceComment, SourceIssue, SourcePage } from '../source/source.ts';
import { type OneDevApi, PER_PAGE } from './client.ts';

/** The states of closed issues, unless an administrator changed them. */
const CLOSED = ['closed', 'released'];

/** A page of issues; cursors are offsets. */
export async function listIssues(api: OneDevApi, cursor: string): Promise<SourcePage<SourceIssue>> {
  const offset = Number(cursor);
  const query = `"Project" is "${api.path}"`;
  const found = await api.list('issues', { query, offset, count: PER_PAGE, withFields: 'true' });
  const items: SourceIssue[] = [];
  for (const fields of found) items.push(await readIssue(api, fields));
  return { items, next: found.length < PER_PAGE ? undefined : String(offset + PER_PAGE) };
}

/** The highest number of an issue. */
export async function lastIssue(api: OneDevApi): Promise<number> {
  const query = `"Project" is "${api.path}" order by "Number" desc`;
  return (await api.list('issues', { query, offset: 0, count: 1 }))[0]?.count('number') ?? 0;
}

async function readIssue(api: OneDevApi, fields: Fields): Promise<SourceIssue> {
  const id = fields.id('id');
  const [milestone] = await api.list(`issues/${id}/iterations`);
  const type = fields.list('fields').find((field) => field.text('name', 100) === 'Type');
  const isClosed = CLOSED.includes(fields.text('state', 100).toLowerCase());
  return {
    ...(await readText(api, fields, `issues/${id}`)),
    number: fields.id('number'),
    milestone: (milestone && (await api.milestones()).get(milestone.count('id'))) ?? '',
    labels: type ? [type.text('value', 1000)] : [],
    isClosed,
    closedAt: undefined,
  };
}

/** The common part of issues and pull requests. */
export async function readText(
  api: OneDevApi,
  fields: Fields,
  path: string,
): Promise<Omit<SourceIssue, 'number' | 'milestone' | 'labels' | 'isClosed' | 'closedAt'>> {
  const createdAt = fields.time('submitDate');
  return {
    author: await api.person(fields.count('submitterId')),
    title: fields.text('title', 10_000),
    body: fields.text('description'),
    ref: '',
    assignees: [],
    isLocked: false,
    pin: 0,
    deadline: undefined,
    createdAt,
    updatedAt: createdAt,
    assets: [],
    comments: async () => onlyPage(await readComments(api, path)),
  };
}

/** Comments, and the texts with which something was changed. */
async function readComments(api: OneDevApi, path: string): Promise<SourceComment[]> {
  const comments: SourceComment[] = [];
  const add = async (fields: Fields, body: string) => {
    if (body === '') return;
    const createdAt = fields.time('date');
    const author = await api.person(fields.count('userId'));
    comments.push({ kind: 'comment', author, body, createdAt, updatedAt: createdAt, assets: [] });
  };
  for (const fields of await api.list(`${path}/comments`)) await add(fields, fields.text('content'));
  for (const fields of await api.list(`${path}/changes`)) {
    const data = fields.object('data');
    await add(fields, data?.text('content') || data?.text('comment') || '');
  }
  return comments;
}
