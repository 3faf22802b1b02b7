import type { Fields } from '../source/fields.ts';
import type { SourceComment, SourcePage, SourcePerson, SourcePull, SourceReview } from '../source/source.ts';
import type { Call } from './client.ts';

const MAX_TOKEN = 10_000;

/** A page of pull requests; cursors are those of the API. */
export async function listPulls(call: Call, name: string, cursor: string): Promise<SourcePage<SourcePull>> {
  const found = await call('ListPullRequests', { repositoryName: name, ...(cursor && { nextToken: cursor }) });
  const items: SourcePull[] = [];
  for (const id of found.texts('pullRequestIds', 20)) {
    if (!/^[1-9]\d{0,9}$/.test(id)) continue;
    const pull = readPull(call, id, (await call('GetPullRequest', { pullRequestId: id })).object('pullRequest'));
    if (pull) items.push(pull);
  }
  return { items, next: found.text('nextToken', MAX_TOKEN) || undefined };
}

function readPull(call: Call, id: string, fields: Fields | undefined): SourcePull | undefined {
  const target = fields?.list('pullRequestTargets')[0];
  if (!fields || !target) return undefined;
  const merge = target.object('mergeMetadata');
  const isMerged = merge?.flag('isMerged') ?? false;
  const isClosed = fields.text('pullRequestStatus', 50) === 'CLOSED';
  const updatedAt = fields.seconds('lastActivityDate');
  const by = merge?.text('mergedBy', 2000);
  return {
    number: Number(id),
    author: personOf(fields.text('authorArn', 2000)),
    title: fields.text('title', 10_000),
    body: fields.text('description'),
    ref: '',
    milestone: '',
    labels: [],
    assignees: [],
    isClosed: isClosed || isMerged,
    isLocked: false,
    pin: 0,
    deadline: undefined,
    createdAt: fields.seconds('creationDate'),
    updatedAt,
    closedAt: isClosed || isMerged ? updatedAt : undefined,
    assets: [],
    comments: async (cursor) => {
      const { groups, next } = await readComments(call, id, cursor);
      const comments = groups.filter((group) => !group.has('location')).flatMap((group) => group.list('comments'));
      return { items: comments.flatMap(readComment), next };
    },
    isDraft: false,
    base: { branch: branchOf(target.text('destinationReference', 1000)) },
    head: { branch: branchOf(target.text('sourceReference', 1000)), id: target.text('sourceCommit', 100), fork: undefined },
    mergeBase: target.text('mergeBase', 100),
    allowMaintainerEdit: false,
    merged: isMerged ? { at: updatedAt, commitId: merge?.text('mergeCommitId', 100) ?? '', by: by ? personOf(by) : undefined } : undefined,
    reviews: async (cursor) => {
      const { groups, next } = await readComments(call, id, cursor);
      return { items: groups.filter((group) => group.has('location')).flatMap(readReview), next };
    },
  };
}

async function readComments(call: Call, id: string, cursor: string): Promise<{ groups: Fields[]; next: string | undefined }> {
  const found = await call('GetCommentsForPullRequest', { pullRequestId: id, ...(cursor && { nextToken: cursor }) });
  return { groups: found.list('commentsForPullRequestData'), next: found.text('nextToken', MAX_TOKEN) || undefined };
}

function readComment(fields: Fields): (SourceComment & { author: SourcePerson })[] {
  if (fields.flag('deleted')) return [];
  const createdAt = fields.seconds('creationDate');
  const author = personOf(fields.text('authorArn', 2000));
  const updatedAt = fields.seconds('lastModifiedDate') ?? createdAt;
  return [{ kind: 'comment', author, body: fields.text('content'), createdAt, updatedAt, assets: [] }];
}

/** The comments on one line are one review. */
function readReview(group: Fields): SourceReview[] {
  const comments = group.list('comments').flatMap(readComment);
  const [first] = comments;
  const location = group.object('location');
  if (!first || !location) return [];
  const isBefore = location.text('relativeFileVersion', 20) === 'BEFORE';
  const commitId = group.text('afterCommitId', 100);
  const place = {
    path: location.text('filePath', 5000),
    line: (isBefore ? -1 : 1) * location.count('filePosition'),
    hunk: '',
    commitId,
  };
  const { author, createdAt, updatedAt } = first;
  const review = { body: '', isOfficial: false, isStale: false, isDismissed: false } as const;
  return [{ ...review, type: 'comment', author, commitId, createdAt, updatedAt, comments: comments.map((one) => ({ ...place, ...one })) }];
}

/** The last part of an ARN names a user; there are no numbers. */
function personOf(arn: string): SourcePerson {
  return { id: 0, name: arn.split('/').at(-1)?.slice(0, 255) || 'Ghost' };
}

const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, '');
