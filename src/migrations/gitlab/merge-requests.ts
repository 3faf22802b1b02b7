import { SourceError } from '../source/errors.ts';
import { Fields, fieldsOf } from '../source/fields.ts';
import { offsetCursor, offsetPage } from '../source/lists.ts';
import type { SourceCodeComment, SourcePage, SourcePull, SourceReview } from '../source/source.ts';
import { type GitLabApi, PER_PAGE } from './client.ts';
import { isOnCode, readCommon, readPerson } from './issues.ts';

const EVERY = { state: 'all', scope: 'all' } as const;

/** A page of merge requests. */
export async function listMergeRequests(api: GitLabApi, cursor: string, withIssues: boolean): Promise<SourcePage<SourcePull>> {
  const at = await offsetCursor(cursor, () => (withIssues ? lastIssue(api) : Promise.resolve(0)));
  const query = { ...EVERY, sort: 'asc', page: at.page, per_page: PER_PAGE };
  const { json } = await api.client.get(`${api.path}/merge_requests`, query);
  const found = fieldsOf(json, 'merge_requests');
  const items: SourcePull[] = [];
  for (const simple of found) {
    // The list does not contain the commits.
    const { json } = await api.client.get(`${api.path}/merge_requests/${simple.id('iid')}`);
    items.push(readMergeRequest(api, new Fields(json, 'merge_request'), at.offset));
  }
  return offsetPage(at, items, found.length < PER_PAGE);
}

/** The highest number of an issue: they are given in the order in which issues are opened. */
async function lastIssue(api: GitLabApi): Promise<number> {
  const { json } = await api.client.get(`${api.path}/issues`, { ...EVERY, sort: 'desc', per_page: 1 });
  return fieldsOf(json, 'issues')[0]?.id('iid') ?? 0;
}

function readMergeRequest(api: GitLabApi, fields: Fields, offset: number): SourcePull {
  const iid = fields.id('iid');
  const issue = readCommon(api, fields, offset + iid, `merge_requests/${iid}`);
  const isMerged = fields.text('state', 20) === 'merged';
  const at = fields.time('merged_at') ?? issue.updatedAt;
  const isFork = fields.count('source_project_id') !== fields.count('target_project_id');
  const commitId = ['merge_commit_sha', 'squash_commit_sha', 'sha'].map((name) => fields.text(name, 100)).find(Boolean) ?? '';
  return {
    ...issue,
    closedAt: issue.closedAt ?? (isMerged ? at : undefined),
    isDraft: fields.flag('draft') || fields.flag('work_in_progress'),
    base: { branch: fields.text('target_branch', 1000) },
    head: {
      branch: fields.text('source_branch', 1000),
      id: fields.text('sha', 100),
      fork: isFork ? (issue.author?.name ?? '') : undefined,
    },
    mergeBase: fields.object('diff_refs')?.text('base_sha', 100) ?? '',
    allowMaintainerEdit: fields.flag('allow_collaboration'),
    merged: isMerged ? { at, commitId, by: readPerson(fields.object('merged_by')) } : undefined,
    reviews: (cursor) => readReviews(api, iid, issue.createdAt, cursor),
  };
}

/** First the approvals, then the discussions of lines of code, page by page; each of their notes is a review with one comment. */
async function readReviews(api: GitLabApi, iid: number, createdAt: number | undefined, cursor: string): Promise<SourcePage<SourceReview>> {
  if (cursor === '') return { items: await readApprovals(api, iid, createdAt), next: '1' };
  const page = await api.list(`merge_requests/${iid}/discussions`, cursor, (fields) => fields.list('notes'));
  const notes = page.items.flat().filter(isOnCode);
  return { items: notes.map(readReview), next: page.next };
}

async function readApprovals(api: GitLabApi, iid: number, createdAt: number | undefined): Promise<SourceReview[]> {
  const found = await api.client.find(`${api.path}/merge_requests/${iid}/approvals`).catch((error: unknown) => {
    // Not every edition shows them to everybody.
    if (error instanceof SourceError && error.fault === 'authentication') return undefined;
    throw error;
  });
  if (!found) return [];
  const approvals = new Fields(found.json, 'approvals');
  const at = approvals.time('updated_at') ?? approvals.time('created_at') ?? createdAt;
  return approvals.list('approved_by').flatMap((approval): SourceReview[] => {
    const author = readPerson(approval.object('user'));
    return author ? [{ ...REVIEW, type: 'approve', author, createdAt: at, updatedAt: at, comments: [] }] : [];
  });
}

const REVIEW = { body: '', commitId: '', isOfficial: false, isStale: false, isDismissed: false } as const;

function readReview(note: Fields): SourceReview {
  const position = note.object('position');
  const commitId = position?.text('head_sha', 100) ?? '';
  const createdAt = note.time('created_at');
  const updatedAt = note.time('updated_at') ?? createdAt;
  const author = readPerson(note.object('author')) ?? { id: 0, name: 'Ghost' };
  const after = position?.count('new_line') ?? 0;
  const comment: SourceCodeComment = {
    path: position?.text(after > 0 ? 'new_path' : 'old_path', 5000) ?? '',
    line: after > 0 ? after : -(position?.count('old_line') ?? 0),
    hunk: '',
    commitId,
    body: note.text('body'),
    author,
    createdAt,
    updatedAt,
  };
  return { ...REVIEW, type: 'comment', author, commitId, createdAt, updatedAt, comments: [comment] };
}
