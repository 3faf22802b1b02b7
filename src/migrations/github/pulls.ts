import type { Fields } from '../source/fields.ts';
import { onlyPage } from '../source/lists.ts';
import { allOf } from '../source/pages.ts';
import type { SourceCodeComment, SourcePage, SourcePull, SourceReview } from '../source/source.ts';
import type { GitHubApi } from './client.ts';
import { readIssue, readPerson } from './issues.ts';

/** Comments on the code of one pull request. */
const MAX_COMMENTS = 20_000;
const TYPES: Readonly<Record<string, SourceReview['type']>> = {
  APPROVED: 'approve',
  CHANGES_REQUESTED: 'reject',
  COMMENTED: 'comment',
  // The API does not show the verdict from before the dismissal.
  DISMISSED: 'comment',
};

/** A pull request. */
export function readPull(api: GitHubApi, fields: Fields): SourcePull {
  const issue = readIssue(api, fields);
  const [head, base] = [fields.object('head'), fields.object('base')];
  const mergedAt = fields.time('merged_at');
  const requested = fields.list('requested_reviewers').flatMap((user) => readPerson(user) ?? []);
  return {
    ...issue,
    isDraft: fields.flag('draft'),
    base: { branch: base?.text('ref', 1000) ?? '' },
    head: { branch: head?.text('ref', 1000) ?? '', id: head?.text('sha', 100) ?? '', fork: forkOwner(head, base) },
    mergeBase: '',
    allowMaintainerEdit: fields.flag('maintainer_can_modify'),
    merged: mergedAt === undefined ? undefined : { at: mergedAt, commitId: fields.text('merge_commit_sha', 100), by: undefined },
    reviews: api.isComplete ? (cursor) => readReviews(api, issue, requested, cursor) : undefined,
  };
}

/** Undefined for a branch of the same repository. A deleted fork has no repository, but its owner. */
function forkOwner(head: Fields | undefined, base: Fields | undefined): string | undefined {
  const name = (side: Fields | undefined) => side?.object('repo')?.text('full_name', 500);
  return name(head) === name(base) ? undefined : (head?.object('user')?.text('login', 255) ?? '');
}

/** The reviews of a page; with the first page come all comments on code, and with the last one those who are asked to review. */
async function readReviews(
  api: GitHubApi,
  { number, createdAt }: Pick<SourcePull, 'number' | 'createdAt'>,
  requested: readonly SourceReview['author'][],
  cursor: string,
): Promise<SourcePage<SourceReview>> {
  const page = await api.list(`pulls/${number}/reviews`, cursor, (fields) => fields);
  const comments = page.items.length > 0 ? await readCodeComments(api, number) : new Map<number, SourceCodeComment[]>();
  const reviews = page.items.flatMap((fields): SourceReview[] => {
    const type = TYPES[fields.text('state', 50)];
    if (!type) return [];
    const submittedAt = fields.time('submitted_at');
    return [
      {
        type,
        author: readPerson(fields.object('user')) ?? { id: 0, name: 'ghost' },
        body: fields.text('body'),
        commitId: fields.text('commit_id', 100),
        isOfficial: false,
        isStale: false,
        isDismissed: fields.text('state', 50) === 'DISMISSED',
        createdAt: submittedAt,
        updatedAt: submittedAt,
        comments: comments.get(fields.id('id')) ?? [],
      },
    ];
  });
  if (page.next !== undefined) return { items: reviews, next: page.next };
  const requests = requested.map((author): SourceReview => ({ ...REQUEST, author, createdAt, updatedAt: createdAt }));
  return onlyPage([...reviews, ...requests]);
}

const REQUEST = {
  type: 'request',
  body: '',
  commitId: '',
  isOfficial: false,
  isStale: false,
  isDismissed: false,
  comments: [],
} as const;

/** All comments on code of a pull request, by the id of their review: one list instead of one for each review. */
async function readCodeComments(api: GitHubApi, number: number): Promise<Map<number, SourceCodeComment[]>> {
  const read = (fields: Fields) => ({ review: fields.count('pull_request_review_id'), comment: readCodeComment(fields) });
  const all = await allOf(MAX_COMMENTS, (cursor) => api.list(`pulls/${number}/comments`, cursor, read));
  const byReview = Map.groupBy(all, ({ review }) => review);
  return new Map([...byReview].map(([review, all]) => [review, all.map(({ comment }) => comment)]));
}

/** Once the line has changed, `line` is null; `original_line` is its number in `original_commit_id`. */
function readCodeComment(fields: Fields): SourceCodeComment {
  const line = fields.count('line') || fields.count('original_line');
  const isCurrent = fields.count('line') > 0;
  return {
    path: fields.text('path', 5000),
    line: fields.text('side', 10) === 'LEFT' ? -line : line,
    hunk: fields.text('diff_hunk'),
    commitId: fields.text(isCurrent ? 'commit_id' : 'original_commit_id', 100),
    body: fields.text('body'),
    author: readPerson(fields.object('user')),
    createdAt: fields.time('created_at'),
    updatedAt: fields.time('updated_at'),
  };
}
