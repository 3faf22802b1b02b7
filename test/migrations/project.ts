import type { Json } from './snapshot.ts';

/** Sends a request to the API that has to succeed. */
export type Send = (method: string, path: string, json?: unknown) => Promise<Json>;

/** How large a project is made. */
export interface ProjectSize {
  readonly issues: number;
  readonly pulls: number;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);

/**
 * Fills a repository that has a commit on `main` with everything that a migration brings over.
 * @param owner sends as its owner
 * @param other sends as somebody else, who may write to it
 * @returns how many requests were sent
 */
export async function fillProject(owner: Send, other: Send, path: string, { issues, pulls }: ProjectSize): Promise<void> {
  await owner('PUT', `${path}/topics`, { topics: ['migrated', 'project'] });
  await owner('PATCH', path, { description: 'A project' });
  await owner('POST', `${path}/contents/file.txt`, { content: base64(`${LINES.join('\n')}\n`), branch: 'main' });
  const labels = await marks(owner, path);
  const milestones = await plans(owner, path);
  await releases(owner, path);
  for (let index = 0; index < issues; index++) await issue(index % 2 ? owner : other, owner, path, index, { labels, milestones });
  for (let index = 0; index < pulls; index++) await pull(owner, other, path, index, { labels, milestones });
}

interface Marks {
  readonly labels: readonly number[];
  readonly milestones: readonly number[];
}

async function marks(owner: Send, path: string): Promise<number[]> {
  const ids: number[] = [];
  for (const [name, color, exclusive] of [
    ['bug', '#ee0701', false],
    ['kind/question', '#00aabb', true],
  ] as const)
    ids.push((await owner('POST', `${path}/labels`, { name, color, exclusive, description: `About ${name}` })).id);
  return ids;
}

async function plans(owner: Send, path: string): Promise<number[]> {
  const open = await owner('POST', `${path}/milestones`, { title: 'Next', description: 'Soon', due_on: '2030-05-01T00:00:00Z' });
  const closed = await owner('POST', `${path}/milestones`, { title: 'Last', state: 'closed' });
  return [open.id, closed.id];
}

async function releases(owner: Send, path: string): Promise<void> {
  await owner('POST', `${path}/releases`, { tag_name: 'v1', name: 'One', body: '# First', target_commitish: 'main' });
  await owner('POST', `${path}/releases`, { tag_name: 'v2', name: 'Two', prerelease: true, target_commitish: 'main' });
  await owner('POST', `${path}/releases`, { tag_name: 'v3', name: 'Three', draft: true, target_commitish: 'main' });
}

async function issue(by: Send, owner: Send, path: string, index: number, { labels, milestones }: Marks): Promise<void> {
  const body = `Text of issue ${index}, see #1.\n\n- [ ] a task\n`;
  const { number } = await by('POST', `${path}/issues`, { title: `Issue ${index} ä`, body });
  const at = `${path}/issues/${number}`;
  if (index % 3 === 0) await owner('POST', `${at}/labels`, { labels });
  if (index % 4 === 0) await owner('PATCH', at, { milestone: milestones[index % 2] ?? 0 });
  if (index % 5 === 0) await owner('POST', `${at}/reactions`, { content: '+1' });
  if (index % 5 === 0) await by('POST', `${at}/reactions`, { content: 'heart' });
  for (let comment = 0; comment < index % 3; comment++) {
    const { id } = await (comment ? owner : by)('POST', `${at}/comments`, { body: `Comment ${comment}` });
    if (comment === 1) await owner('POST', `${path}/issues/comments/${id}/reactions`, { content: 'rocket' });
  }
  if (index === 0) await owner('POST', `${at}/pin`);
  if (index === 1) await owner('PATCH', at, { due_date: '2031-01-02T00:00:00Z' });
  if (index % 7 === 2) await owner('PUT', `${at}/lock`, { lock_reason: '' });
  if (index % 4 === 1) await owner('PATCH', at, { state: 'closed' });
}

async function pull(owner: Send, other: Send, path: string, index: number, { labels, milestones }: Marks): Promise<void> {
  const branch = `topic-${index}`;
  const text = LINES.map((line, at) => (at === 4 ? `${line} of ${branch}` : line)).join('\n');
  await other('POST', `${path}/contents/${branch}.txt`, { content: base64(`${text}\n`), branch: 'main', new_branch: branch });
  const fields = { title: `${index % 4 === 3 ? 'WIP: ' : ''}Pull ${index}`, body: `About #${index + 1}`, head: branch, base: 'main' };
  const made = await other('POST', `${path}/pulls`, { ...fields, ...(index % 2 && { labels, milestone: milestones[0] }) });
  const at = `${path}/pulls/${made.number}`;
  await owner('POST', `${path}/issues/${made.number}/comments`, { body: 'A comment' });
  const comments = [{ path: `${branch}.txt`, body: 'Why?', new_position: 5 }];
  if (index % 3 === 0)
    await owner('POST', `${at}/reviews`, { event: 'REQUEST_CHANGES', body: 'Not yet', commit_id: made.head.sha, comments });
  if (index % 3 !== 2) await owner('POST', `${at}/reviews`, { event: 'APPROVED', body: 'Good', commit_id: made.head.sha });
  if (index % 4 === 0) await owner('POST', `${at}/merge`, { Do: 'merge', delete_branch_after_merge: index % 8 === 0 });
  if (index % 4 === 1) await owner('PATCH', at, { state: 'closed' });
}
