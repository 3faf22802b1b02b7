import type { Fields } from '../source/fields.ts';
import { onlyPage } from '../source/lists.ts';
import type { SourcePull } from '../source/source.ts';
import { type CodebaseApi, numberOf } from './client.ts';
import { readNotes } from './notes.ts';

/** Merge requests that are read one by one. */
const MAX_REQUESTS = 20_000;

/** The merge requests of a repository, numbered from after `offset` in the order of their ids. */
export async function listMergeRequests(api: CodebaseApi, offset: number): Promise<SourcePull[]> {
  const found = await api.list(`${api.repository}/merge_requests`, 'merge-request');
  const ids = found.map((fields) => numberOf(fields, 'id')).filter((id) => id > 0);
  const pulls: SourcePull[] = [];
  for (const id of ids.toSorted((a, b) => a - b).slice(0, MAX_REQUESTS)) {
    const fields = await api.find(`${api.repository}/merge_requests/${id}`);
    if (fields) pulls.push(await readMergeRequest(api, fields, offset + pulls.length + 1));
  }
  return pulls;
}

/** A merge request; its text is its first comment. A comment without a text says that it is being merged. */
async function readMergeRequest(api: CodebaseApi, fields: Fields, number: number): Promise<SourcePull> {
  const all = fields.object('comments')?.list('comment') ?? [];
  const [first, ...comments] = await readNotes(api, all);
  const merging = all.find((comment) => comment.text('content') === '' && comment.text('action', 50) === 'merging');
  const isClosed = fields.text('status', 50) !== 'new';
  const updatedAt = fields.time('updated-at');
  const [source, target] = [fields.text('source-ref', 1000), fields.text('target-ref', 1000)];
  const headId = await tipOf(api, source);
  return {
    number,
    author: await api.person(numberOf(fields, 'user-id')),
    title: fields.text('subject', 10_000),
    body: first?.body ?? '',
    ref: '',
    milestone: '',
    labels: [],
    assignees: [],
    isClosed: isClosed || merging !== undefined,
    isLocked: false,
    pin: 0,
    deadline: undefined,
    createdAt: fields.time('created-at'),
    updatedAt,
    closedAt: isClosed ? updatedAt : undefined,
    assets: [],
    comments: comments.length > 0 ? async () => onlyPage(comments) : undefined,
    isDraft: false,
    base: { branch: target },
    head: { branch: source, id: headId, fork: undefined },
    mergeBase: '',
    allowMaintainerEdit: false,
    merged: merging && { at: merging.time('created-at'), commitId: headId, by: undefined },
  };
}

/** The commit of a branch; empty if the branch was deleted. */
async function tipOf(api: CodebaseApi, branch: string): Promise<string> {
  if (branch === '') return '';
  const [commit] = await api.list(`${api.repository}/commits/${encodeURIComponent(branch)}`, 'commit');
  return commit?.text('ref', 100) ?? '';
}
