/*
 * `fill.ts --url URL --admin NAME:PASSWORD`: makes a little of everything in a running, empty Gitea, for an import to be tried with. What is
 * made is the same each time but for times and random values. `scenarios of test/conformance` make much more of it: `run.ts --url URL`.
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Actor } from '../conformance/harness/actor.ts';
import { Session } from '../conformance/harness/session.ts';
import { fillAutomation } from './gitea/fill-automation.ts';
import { fillPackages } from './gitea/fill-registries.ts';
import { KEYS } from './gitea/keys.ts';

const PASSWORD = 'Source-Passw0rd';
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWMwTjuDFTEMLQkAuYZZQQ0kCIcAAAAASUVORK5CYII=';

const { url = '', admin = '' } = parseArgs({ options: { url: { type: 'string' }, admin: { type: 'string' } } }).values;
const session = await Session.open(url, admin);
try {
  const people = await fillAccounts();
  await fillOrganization(people);
  await fillRepository(people);
  await fillIssues(people);
  await fillPulls(people);
  await fillReleases(people);
  await fillRest(people);
  await fillPackages(people.alice);
  await fillAutomation(people.alice);
} finally {
  await session.close();
}

interface People {
  alice: Actor;
  bob: Actor;
  carol: Actor;
}

async function fillAccounts(): Promise<People> {
  const user = async (name: string, fields: object = {}) => {
    await session.admin.must('POST', '/admin/users', {
      username: name,
      email: `${name.toLowerCase()}@example.com`,
      password: PASSWORD,
      must_change_password: false,
      ...fields,
    });
    return new Actor(session, { name, password: PASSWORD });
  };
  const alice = await user('Alice', { full_name: 'Alice Liddell' });
  const bob = await user('bob');
  const carol = await user('carol', { visibility: 'private' });
  await alice.must('POST', '/user/emails', { emails: ['alice@other.example'] });
  await alice.must('PATCH', '/user/settings', {
    location: 'Oxford',
    website: 'https://alice.example',
    hide_email: true,
    language: 'en-US',
  });
  await alice.must('POST', '/user/avatar', { image: PICTURE });
  await alice.must('POST', '/user/keys', { title: 'laptop', key: KEYS.user });
  await alice.must('POST', '/user/applications/oauth2', {
    name: 'CI',
    redirect_uris: ['https://ci.example/callback'],
    confidential_client: true,
  });
  const { sha1 } = await alice.must('POST', '/users/Alice/tokens', { name: 'all', scopes: ['all'] });
  console.log(JSON.stringify({ token: sha1 }));
  await alice.must('POST', '/users/Alice/tokens', { name: 'reading', scopes: ['read:repository', 'read:user'] });
  await alice.must('PUT', '/user/following/bob');
  await bob.must('PUT', '/user/following/Alice');
  await bob.must('PUT', '/user/blocks/carol', undefined, {});
  await user('renamed');
  await session.admin.must('POST', '/admin/users/renamed/rename', { new_username: 'newname' });
  return { alice, bob, carol };
}

async function fillOrganization({ alice, bob }: People): Promise<void> {
  await alice.must('POST', '/orgs', { username: 'Acme', full_name: 'Acme Inc.', visibility: 'limited', website: 'https://acme.example' });
  const units_map = { 'repo.code': 'write', 'repo.issues': 'read' };
  const team = await alice.must('POST', '/orgs/Acme/teams', { name: 'Builders', description: 'They build', permission: 'read', units_map });
  await alice.must('PUT', `/teams/${team.id}/members/bob`);
  await alice.must('PUT', '/orgs/Acme/public_members/Alice');
  await alice.must('POST', '/orgs/Acme/repos', { name: 'tools', private: true, auto_init: true, default_branch: 'main' });
  await alice.must('PUT', `/teams/${team.id}/repos/Acme/tools`);
  await alice.must('POST', '/orgs/Acme/labels', { name: 'shared', color: '#00aabb' });
  await alice.must('POST', '/orgs/Acme/hooks', {
    type: 'gitea',
    config: { url: 'https://hook.example/org', content_type: 'json' },
    events: ['push'],
  });
  await bob.must('PUT', '/user/starred/Acme/tools');
}

async function fillRepository({ alice, bob }: People): Promise<void> {
  await alice.repo('Demo', { description: 'A demonstration', license: 'MIT' });
  await alice.repo('template', { template: true });
  await alice.repo('old-name');
  await alice.must('PATCH', '/repos/Alice/old-name', { name: 'new-name', private: true, has_wiki: false });
  await alice.push('Alice/Demo', { files: { 'src/a.js': 'export const a = 1;\n' }, date: '2024-01-01T00:00:00+00:00', tag: 'v1.0' });
  await alice.must('PATCH', '/repos/Alice/Demo', { website: 'https://demo.example', default_merge_style: 'squash', allow_rebase: false });
  await alice.must('PUT', '/repos/Alice/Demo/topics', { topics: ['alpha', 'beta'] });
  await alice.must('POST', '/repos/Alice/Demo/avatar', { image: PICTURE });
  await alice.must('PUT', '/repos/Alice/Demo/collaborators/bob', { permission: 'write' });
  await alice.must('POST', '/repos/Alice/Demo/keys', { title: 'deploy', key: KEYS.deploy, read_only: true });
  await alice.must('POST', '/repos/Alice/Demo/branch_protections', {
    rule_name: 'release/*',
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ['bob'],
    required_approvals: 1,
  });
  await alice.must('POST', '/repos/Alice/Demo/tag_protections', { name_pattern: 'v*', whitelist_usernames: ['Alice'] });
  await alice.must('POST', '/repos/Alice/Demo/hooks', {
    type: 'gitea',
    active: true,
    config: { url: 'https://hook.example/repo', content_type: 'json', secret: 'hook-secret' },
    events: ['push', 'issues', 'pull_request'],
    authorization_header: 'Bearer hook-token',
  });
  await alice.must('POST', '/repos/Alice/Demo/wiki/new', { title: 'Home', content_base64: Buffer.from('Welcome').toString('base64') });
  await bob.must('PUT', '/user/starred/Alice/Demo');
  await bob.must('PUT', '/repos/Alice/Demo/subscription');
  await bob.must('POST', '/repos/Alice/Demo/forks', { name: 'demo-fork' });
  await alice.must('POST', '/repos/Alice/new-name/transfer', { new_owner: 'bob' });
}

async function fillIssues({ alice, bob }: People): Promise<void> {
  const repo = '/repos/Alice/Demo';
  const bug = await alice.must('POST', `${repo}/labels`, { name: 'bug', color: '#ee0701', description: 'Broken' });
  await alice.must('POST', `${repo}/labels`, { name: 'kind/idea', color: '#0000ee', exclusive: true });
  const v1 = await alice.must('POST', `${repo}/milestones`, { title: 'v1', description: 'First', due_on: '2031-01-01T00:00:00Z' });
  await alice.must('POST', `${repo}/issues`, {
    title: 'One',
    body: 'The *first* @bob',
    labels: [bug.id],
    milestone: v1.id,
    assignees: ['bob'],
  });
  await bob.must('POST', `${repo}/issues`, { title: 'Two', body: 'See #1' });
  const one = `${repo}/issues/1`;
  const comment = await bob.must('POST', `${one}/comments`, { body: 'A comment about #2' });
  await alice.must('POST', `${one}/reactions`, { content: '+1' });
  await alice.must('POST', `${repo}/issues/comments/${comment.id}/reactions`, { content: 'heart' });
  const file = { attachment: { content: Buffer.from('a log\n'), type: 'text/plain', filename: 'log.txt' } };
  await alice.must('POST', `${one}/assets`, undefined, { form: file });
  await bob.must('POST', `${repo}/issues/comments/${comment.id}/assets`, undefined, { form: file });
  const edit = (fields: object) => alice.must('PATCH', one, fields);
  for (const fields of [{ title: 'One, renamed' }, { due_date: '2030-01-02T00:00:00Z' }, { milestone: 0 }, { milestone: v1.id }])
    await edit(fields);
  for (const fields of [{ state: 'closed' }, { state: 'open' }, { assignees: [] }, { assignees: ['bob'] }]) await edit(fields);
  await alice.must('POST', `${one}/dependencies`, { index: 2, owner: 'Alice', repo: 'Demo' });
  await alice.must('POST', `${one}/times`, { time: 3600 });
  await alice.must('POST', `${repo}/issues/2/stopwatch/start`);
  await alice.must('POST', `${one}/pin`);
  await alice.must('PUT', `${repo}/issues/2/lock`, { lock_reason: 'Spam' });
  await bob.must('PUT', `${repo}/issues/2/subscriptions/bob`);
}

async function fillPulls({ alice, bob }: People): Promise<void> {
  const repo = '/repos/Alice/Demo';
  const push = (branch: string, files: Record<string, string>) => bob.push('Alice/Demo', { branch, from: 'main', files });
  await push('topic', { 'b.txt': 'one\ntwo\nthree\n' });
  await bob.must('POST', `${repo}/pulls`, { head: 'topic', base: 'main', title: 'Topic', body: 'Closes #2' });
  await alice.must('POST', `${repo}/pulls/3/reviews`, {
    event: 'REQUEST_CHANGES',
    body: 'Not yet',
    comments: [{ path: 'b.txt', body: 'Why?', new_position: 2 }],
  });
  await bob.push('Alice/Demo', { branch: 'topic', files: { 'c.txt': 'c\n' } });
  await alice.must('POST', `${repo}/pulls/3/reviews`, { event: 'APPROVED', body: 'Now' });
  await push('merged', { 'd.txt': 'd\n' });
  await bob.must('POST', `${repo}/pulls`, { head: 'merged', base: 'main', title: 'To be merged' });
  await bob.must('POST', `${repo}/pulls/4/requested_reviewers`, { reviewers: ['Alice'] });
  await alice.must('POST', `${repo}/pulls/4/merge`, { Do: 'squash' });
  await bob.push('bob/demo-fork', { branch: 'fork', from: 'main', files: { 'e.txt': 'e\n' } });
  await bob.must('POST', `${repo}/pulls`, { head: 'bob:fork', base: 'main', title: 'From a fork' });
  const { sha } = await alice.push('Alice/Demo', { files: { 'f.txt': 'f\n' }, message: 'Follow up\n\nRefs #1' });
  await alice.must('POST', `${repo}/statuses/${sha}`, {
    state: 'success',
    context: 'ci',
    description: 'Built',
    target_url: 'https://ci.example/1',
  });
}

async function fillReleases({ alice }: People): Promise<void> {
  const repo = '/repos/Alice/Demo';
  const release = await alice.must('POST', `${repo}/releases`, { tag_name: 'v1.0', name: 'One', body: 'The first' });
  const form = { attachment: { content: Buffer.from('binary'), filename: 'demo.bin' } };
  await alice.must('POST', `${repo}/releases/${release.id}/assets`, undefined, { form });
  await alice.must('POST', `${repo}/releases`, { tag_name: 'v2.0', target_commitish: 'main', name: 'Two', draft: true });
}

async function fillRest({ alice, bob }: People): Promise<void> {
  await alice.must('POST', '/repos/Alice/Demo/push_mirrors', {
    remote_address: `${session.base}/bob/demo-fork.git`,
    remote_username: 'bob',
    remote_password: PASSWORD,
    interval: '8h',
  });
  const content = 'a large file\n';
  const oid = createHash('sha256').update(content).digest('hex');
  const lfs = alice.with({ accept: 'application/vnd.git-lfs+json' });
  const type = 'application/vnd.git-lfs+json';
  const raw = JSON.stringify({ operation: 'upload', transfers: ['basic'], objects: [{ oid, size: content.length }] });
  const batch = await lfs.must('POST', '//Alice/Demo.git/info/lfs/objects/batch', undefined, { raw, type });
  await lfs.send('PUT', batch.objects[0].actions.upload.href, { raw: Buffer.from(content), type: 'application/octet-stream' });
  await lfs.must('POST', '//Alice/Demo.git/info/lfs/locks', undefined, { raw: JSON.stringify({ path: 'big.bin' }), type });
  await alice.must('POST', '/repos/migrate', {
    clone_addr: `${session.base}/bob/demo-fork.git`,
    repo_name: 'mirrored',
    mirror: true,
    service: 'git',
  });
  await bob.must('POST', '/repos/Alice/Demo/issues', { title: 'Notifies', body: '@Alice' });
}
