import type { Fields } from '../source/fields.ts';
import { offsetCursor, offsetPage, onlyPage } from '../source/lists.ts';
import type { SourcePage, SourcePull, SourceReview } from '../source/source.ts';
import { type OneDevApi, PER_PAGE } from './client.ts';
import { lastIssue, readText } from './issues.ts';

const TYPES: Readonly<Record<string, SourceReview['type']>> = { APPROVED: 'approve', REQUESTED_FOR_CHANGES: 'reject', PENDING: 'request' };

/** A page of pull requests. */
export async function listPulls(api: OneDevApi, cursor: string, withIssues: boolean): Promise<SourcePage<SourcePull>> {
  const at = await offsetCursor(cursor, () => (withIssues ? lastIssue(api) : Promise.resolve(0)));
  const query = `"Target Project" is "${api.path}"`;
  const found = await api.list('pulls', { query, offset: (at.page - 1) * PER_PAGE, count: PER_PAGE });
  const items: SourcePull[] = [];
  for (const fields of found) items.push(await readPull(api, fields, at.offset));
  return offsetPage(at, items, found.length < PER_PAGE);
}

async function readPull(api: OneDevApi, fields: Fields, offset: number): Promise<SourcePull> {
  const id = fields.id('id');
  const preview = await api.find(`pulls/${id}/merge-preview`);
  const status = fields.text('status', 50);
  const closedAt = fields.time('closeDate');
  const commitId = preview?.text('mergeCommitHash', 100) ?? '';
  const text = await readText(api, fields, `pulls/${id}`);
  return {
    ...text,
    number: offset + fields.id('number'),
    milestone: '',
    labels: [],
    isClosed: status !== 'OPEN',
    closedAt,
    isDraft: false,
    base: { branch: fields.text('targetBranch', 1000) },
    head: { branch: fields.text('sourceBranch', 1000), id: preview?.text('headCommitHash', 100) ?? '', fork: undefined },
    mergeBase: fields.text('baseCommitHash', 100),
    allowMaintainerEdit: false,
    merged: status === 'MERGED' ? { at: closedAt, commitId, by: undefined } : undefined,
    reviews: async () => onlyPage(await readReviews(api, id, text.createdAt)),
  };
}

async function readReviews(api: OneDevApi, id: number, createdAt: number | undefined): Promise<SourceReview[]> {
  const reviews: SourceReview[] = [];
  for (const fields of await api.list(`pulls/${id}/reviews`)) {
    const type = TYPES[fields.text('status', 50)];
    if (!type) continue;
    const author = await api.person(fields.count('userId'));
    const review = { body: '', commitId: '', isOfficial: false, isStale: false, isDismissed: false, comments: [] };
    reviews.push({ ...review, type, author, createdAt, updatedAt: createdAt });
  }
  return reviews;
}
