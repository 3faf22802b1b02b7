import { createHash } from 'node:crypto';
import { largeFile, MEDIA, upload } from '../lfs/objects.ts';
import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { automation } from './automation.ts';
import { hiddenBoards } from './boards.ts';

/** A word that is in every name and text of what is hidden, so that no answer to others may have it. */
export const SECRET = 'zanzibar';

/** A word that is in every name of what is open to the members of a hidden organization, and to nobody else. */
export const INTERNAL = 'madagascar';

/** Somebody's hidden things, and where they are. */
export interface Hidden {
  readonly alice: Client;
  /** Alice's private repository with one of everything in it. */
  readonly repository: string;
  /** A private organization of Alice's, and a private repository in it. */
  readonly organization: string;
  readonly organizationRepository: string;
  /** Values that stand for path parameters, by the name of the parameter. */
  readonly values: Record<string, readonly string[]>;
}

/** Makes somebody who has one of everything, all hidden. */
export async function hiddenThings(t: TestServer): Promise<Hidden> {
  const alice = await t.user('alice');
  const helper = await t.user('helper');
  const name = `${SECRET}-repo`;
  const organization = `${SECRET}-org`;
  const at = `/repos/alice/${name}`;
  await alice.must('POST', '/user/repos', { name, private: true, auto_init: true, description: SECRET });
  await alice.must('PUT', `${at}/collaborators/helper`, { permission: 'write' });
  // Topics are words that all repositories share, so the word is not in them.
  await alice.must('PUT', `${at}/topics`, { topics: ['topic'] });
  const codeValues = await code(alice, at);
  const issueValues = await conversation(alice, helper, at);
  const boards = await hiddenBoards(t, name, SECRET);
  const releaseValues = await releases(alice, at);
  const largeFileValues = await largeFiles(alice, `alice/${name}`);
  await alice.must('POST', `${at}/wiki/new`, { title: SECRET, content_base64: Buffer.from(SECRET).toString('base64') });
  const key = await alice.must('POST', `${at}/keys`, { title: SECRET, key: sshKey(), read_only: true });
  const hook = await alice.must('POST', `${at}/hooks`, {
    type: 'gitea',
    config: { url: `https://${SECRET}.example`, content_type: 'json' },
  });
  const tagProtection = await alice.must('POST', `${at}/tag_protections`, { name_pattern: `${SECRET}*`, whitelist_usernames: ['alice'] });
  await alice.must('POST', `${at}/branch_protections`, { rule_name: `${SECRET}-branch` });
  for (const client of [alice, helper]) await client.must('PUT', `/user/starred/alice/${name}`);
  const own = await ownThings(alice);
  const org = await organizationThings(alice, organization);
  const automationValues = await automation(alice, [at, `/orgs/${organization}`, '/user'], SECRET);
  const hermit = await hermitThings(t);
  const parts = await hiddenParts(alice);
  await t.settled();
  const threads = await helper.must('GET', '/notifications?all=true');
  const { id: repositoryId } = await alice.must('GET', at);
  const { id: aliceId } = await alice.must('GET', '/user');
  const ids = [
    key.id,
    hook.id,
    tagProtection.id,
    repositoryId,
    ...issueValues.ids,
    ...boards,
    ...releaseValues.ids,
    ...own,
    ...org.ids,
    ...hermit,
    ...parts,
    ...threads.map(({ id }: { id: number }) => id),
  ];
  return {
    alice,
    repository: `alice/${name}`,
    organization,
    organizationRepository: `${organization}/${name}`,
    values: {
      id: [...new Set(ids.map(String))],
      attachment_id: [...issueValues.attachments, ...releaseValues.attachments],
      uuid: [...issueValues.uuids, ...releaseValues.uuids],
      tag: releaseValues.tags,
      name: [`${SECRET}.txt`],
      pageName: [SECRET],
      userid: [String(aliceId)],
      team: [`${SECRET}-team`],
      topic: ['topic'],
      grant: ['1'],
      invitation: ['i'.repeat(43)],
      ...automationValues,
      ...codeValues,
      ...largeFileValues,
    },
  };
}

async function code(alice: Client, at: string) {
  const content = Buffer.from(`${SECRET}\n`).toString('base64');
  const branch = `${SECRET}-branch`;
  const made = await alice.must('POST', `${at}/contents/${SECRET}.txt`, { content, message: SECRET, new_branch: branch });
  const { sha } = made.commit;
  await alice.must('POST', `${at}/tags`, { tag_name: `${SECRET}-tag`, message: SECRET, target: sha });
  const [tag] = await alice.must('GET', `${at}/git/refs/tags/${SECRET}-tag`);
  await alice.must('POST', `${at}/statuses/${sha}`, { state: 'success', context: SECRET, description: SECRET });
  await alice.must('POST', `${at}/pulls`, { title: SECRET, body: SECRET, head: branch, base: 'main' });
  return {
    sha: [sha, tag.object.sha, made.content.sha],
    ref: [branch, sha],
    filepath: [`${SECRET}.txt`],
    '*': [
      branch,
      sha,
      `main...${branch}`,
      `${SECRET}.txt?ref=${branch}`,
      `${branch}.zip`,
      `${sha}.tar.gz`,
      `branch/${branch}/${SECRET}.txt`,
      `${SECRET}-tag`,
      `heads/${branch}`,
    ],
  };
}

async function conversation(alice: Client, helper: Client, at: string) {
  const label = await alice.must('POST', `${at}/labels`, { name: SECRET, color: '#123456' });
  const milestone = await alice.must('POST', `${at}/milestones`, { title: SECRET });
  const fields = { title: SECRET, body: `${SECRET} @helper`, labels: [label.id], milestone: milestone.id, assignees: ['helper'] };
  const issue = await alice.must('POST', `${at}/issues`, fields);
  const other = await helper.must('POST', `${at}/issues`, { title: `${SECRET} again` });
  const one = `${at}/issues/${issue.number}`;
  const comment = await helper.must('POST', `${one}/comments`, { body: SECRET });
  // What the texts were before is hidden too.
  await alice.must('PATCH', one, { body: `${SECRET} @helper, edited` });
  await helper.must('PATCH', `${at}/issues/comments/${comment.id}`, { body: `${SECRET}, edited` });
  await helper.must('POST', `${one}/reactions`, { content: 'heart' });
  await helper.must('POST', `${at}/issues/comments/${comment.id}/reactions`, { content: 'heart' });
  const assets = [];
  for (const path of [one, `${at}/issues/comments/${comment.id}`]) {
    const form = new FormData();
    form.append('attachment', new Blob([SECRET]), `${SECRET}.txt`);
    assets.push((await helper.send('POST', `${path}/assets`, { form })).json);
  }
  const time = await helper.must('POST', `${one}/times`, { time: 60 });
  await helper.must('POST', `${one}/stopwatch/start`);
  await alice.must('POST', `${one}/pin`);
  const [owner, repo] = at.split('/').slice(2);
  await alice.must('POST', `${one}/dependencies`, { owner, repo, index: other.number });
  return {
    ids: [label.id, milestone.id, comment.id, time.id, issue.id, other.id],
    attachments: assets.map(({ id }) => String(id)),
    uuids: assets.map(({ uuid }) => uuid),
  };
}

/** A release and a draft with a file each. */
async function releases(alice: Client, at: string) {
  const tags = [`${SECRET}-v1`, `${SECRET}-v2`];
  const ids = [];
  const assets = [];
  for (const tag of tags) {
    const { id } = await alice.must('POST', `${at}/releases`, { tag_name: tag, name: SECRET, body: SECRET, draft: tag === tags[1] });
    const form = new FormData();
    form.append('attachment', new Blob([SECRET]), `${SECRET}.txt`);
    assets.push((await alice.send('POST', `${at}/releases/${id}/assets`, { form })).json);
    ids.push(id);
  }
  return { ids, tags, attachments: assets.map(({ id }) => String(id)), uuids: assets.map(({ uuid }) => uuid) };
}

/** An object of Git LFS, and a lock. */
async function largeFiles(alice: Client, repository: string) {
  const object = largeFile(SECRET);
  await upload(alice, repository, object);
  await alice.send('POST', `//${repository}.git/info/lfs/locks`, {
    json: { path: SECRET },
    headers: { accept: MEDIA, 'content-type': MEDIA },
  });
  return { oid: [object.oid], size: [String(object.size)], filename: [`${SECRET}.txt`] };
}

async function ownThings(alice: Client): Promise<number[]> {
  // The keys of users who are not hidden are there for all to see.
  const key = await alice.must('POST', '/user/keys', { title: 'laptop', key: sshKey() });
  const application = await alice.must('POST', '/user/applications/oauth2', { name: SECRET, redirect_uris: [`https://${SECRET}.example`] });
  const hook = await alice.must('POST', '/user/hooks', {
    type: 'gitea',
    config: { url: `https://${SECRET}.example`, content_type: 'json' },
  });
  await alice.must('POST', '/user/emails', { emails: [`${SECRET}@example.com`] });
  return [key.id, application.id, hook.id];
}

async function organizationThings(alice: Client, organization: string) {
  await alice.must('POST', '/orgs', { username: organization, visibility: 'private', full_name: SECRET });
  await alice.send('PUT', `//api/packages/${organization}/generic/${SECRET}.txt/1.0/${SECRET}.txt`, { raw: SECRET });
  const team = await alice.must('POST', `/orgs/${organization}/teams`, {
    name: `${SECRET}-team`,
    permission: 'read',
    units: ['repo.code'],
  });
  await alice.must('PUT', `/teams/${team.id}/members/helper`);
  await alice.must('POST', `/orgs/${organization}/repos`, { name: `${SECRET}-repo`, private: true, auto_init: true });
  await alice.must('POST', `/repos/${organization}/${SECRET}-repo/issues`, { title: SECRET });
  const label = await alice.must('POST', `/orgs/${organization}/labels`, { name: SECRET, color: '#123456' });
  const config = { url: `https://${SECRET}.example`, content_type: 'json' };
  const hook = await alice.must('POST', `/orgs/${organization}/hooks`, { type: 'gitea', config });
  return { ids: [team.id, label.id, hook.id] };
}

/** What is hidden in a repository that all see: drafts, and where a pull request comes from. */
async function hiddenParts(alice: Client): Promise<number[]> {
  const at = '/repos/alice/open';
  await alice.must('POST', '/user/repos', { name: 'open', auto_init: true, template: true });
  await alice.must('POST', `${at}/issues`, { title: 'An issue' });
  const organization = `${INTERNAL}-org`;
  await alice.must('POST', '/orgs', { username: organization, visibility: 'private' });
  await alice.must('POST', `${at}/forks`, { name: `${INTERNAL}-fork`, organization });
  await alice.must('POST', `/repos/${organization}/${INTERNAL}-fork/contents/a.txt`, { content: '', new_branch: 'topic' });
  const pull = await alice.must('POST', `${at}/pulls`, { title: 'A change', head: `${organization}:topic`, base: 'main' });
  const comments = [{ path: 'a.txt', body: SECRET, new_position: 1 }];
  const review = await alice.must('POST', `${at}/pulls/${pull.number}/reviews`, { body: SECRET, comments });
  const release = await alice.must('POST', `${at}/releases`, { tag_name: `${SECRET}-next`, name: SECRET, body: SECRET, draft: true });
  const form = new FormData();
  form.append('attachment', new Blob([SECRET]), `${SECRET}.txt`);
  const { json: file } = await alice.send('POST', `${at}/releases/${release.id}/assets`, { form });
  return [review.id, review.id + 1, release.id, file.id];
}

/** A private user, whose repository is open to those who may see the user. */
async function hermitThings(t: TestServer): Promise<number[]> {
  const hermit = await t.user(`${SECRET}-user`, { visibility: 'private', full_name: SECRET });
  await hermit.must('POST', '/user/repos', { name: `${SECRET}-repo`, auto_init: true });
  await hermit.must('POST', `/repos/${hermit.name}/${SECRET}-repo/issues`, { title: SECRET });
  await hermit.must('PUT', '/user/following/helper');
  const key = await hermit.must('POST', '/user/keys', { title: SECRET, key: sshKey() });
  await hermit.send('PUT', `//api/packages/${hermit.name}/generic/${SECRET}.txt/1.0/${SECRET}.txt`, { raw: SECRET });
  return [key.id];
}

let keys = 0;
/** A public key that nobody has: only its form counts. */
function sshKey(): string {
  keys++;
  const point = createHash('sha256').update(`${SECRET}${keys}`).digest();
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from('ssh-ed25519')), part(point)]).toString('base64')}`;
}
