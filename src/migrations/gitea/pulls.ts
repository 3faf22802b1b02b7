import { type Fields, fieldsOf } from '../source/fields.ts';
import type { SourceCodeComment, SourcePage, SourcePull, SourceReview } from '../source/source.ts';
import type { GiteaApi } from './client.ts';
import { readIssue } from './issues.ts';
import { readPerson } from './people.ts';

const TYPES: Readonly<Record<string, SourceReview['type']>> = {
  APPROVED: 'approve',
  COMMENT: 'comment',
  REQUEST_CHANGES: 'reject',
  REQUEST_REVIEW: 'request',
};

/** A pull request. */
export function readPull(api: GiteaApi, fields: Fields): SourcePull {
  const issue = readIssue(api, fields);
  const head = fields.object('head');
  const base = fields.object('base');
  const isMerged = fields.flag('merged');
  return {
    ...issue,
    // Its title marks it as a draft.
    isDraft: false,
    base: { branch: base?.text('ref', 1000) ?? '' },
    head: { branch: headBranch(head), id: head?.text('sha', 100) ?? '', fork: forkOwner(head, base) },
    mergeBase: fields.text('merge_base', 100),
    allowMaintainerEdit: fields.flag('allow_maintainer_edit'),
    merged: isMerged
      ? { at: fields.time('merged_at'), commitId: fields.text('merge_commit_sha', 100), by: readPerson(fields.object('merged_by')) }
      : undefined,
    closedAt: issue.closedAt ?? fields.time('merged_at'),
    reviews: (cursor) => readReviews(api, issue.number, cursor),
  };
}

/** `ref` is that of the pull request once the branch is deleted, `label` its name. */
function headBranch(head: Fields | undefined): string {
  const ref = head?.text('ref', 1000) ?? '';
  return ref.startsWith('refs/') ? (head?.text('label', 1000) ?? '') : ref;
}

function forkOwner(head: Fields | undefined, base: Fields | undefined): string | undefined {
  const [own, other] = [base?.object('repo'), head?.object('repo')];
  if (!other) return own ? '' : undefined;
  return other.text('full_name', 500) === own?.text('full_name', 500) ? undefined : (other.object('owner')?.text('login', 255) ?? '');
}

async function readReviews(api: GiteaApi, number: number, cursor: string): Promise<SourcePage<SourceReview>> {
  const page = await api.list(`pulls/${number}/reviews`, cursor, (fields) => fields);
  const items: SourceReview[] = [];
  for (const fields of page.items) {
    const author = readPerson(fields.object('user'));
    const type = TYPES[fields.text('state', 50)];
    // Those of teams, and those that nobody else sees yet, are left out.
    if (!author || !type) continue;
    const id = fields.id('id');
    const comments = fields.count('comments_count') > 0 ? await readCodeComments(api, `pulls/${number}/reviews/${id}/comments`) : [];
    items.push({
      type,
      author,
      body: fields.text('body'),
      commitId: fields.text('commit_id', 100),
      isOfficial: fields.flag('official'),
      isStale: fields.flag('stale'),
      isDismissed: fields.flag('dismissed'),
      createdAt: fields.time('submitted_at'),
      updatedAt: fields.time('updated_at'),
      comments,
    });
  }
  return { items, next: page.next };
}

async function readCodeComments(api: GiteaApi, path: string): Promise<SourceCodeComment[]> {
  const { json } = await api.client.get(`${api.path}/${path}`);
  return fieldsOf(json, 'comments').map((fields) => {
    const before = fields.count('original_position');
    return {
      path: fields.text('path', 5000),
      line: before > 0 ? -before : fields.count('position'),
      hunk: fields.text('diff_hunk'),
      commitId: fields.text('commit_id', 100),
      body: fields.text('body'),
      author: readPerson(fields.object('user')),
      createdAt: fields.time('created_at'),
      updatedAt: fields.time('updated_at'),
    };
  });
}
