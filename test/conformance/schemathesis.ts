import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../support/client.ts';
import { parameterValues } from './parameter-values.ts';

/**
 * `schemathesis.ts URL NAME:PASSWORD [options of schemathesis]`: holds a running server against its own description with
 * https://schemathesis.io, which has to be installed: as the administrator that is named, and as a plain user. The server is filled with
 * what is thrown at it, so it should be one that nobody needs.
 */
const [url = '', admin = '', ...options] = process.argv.slice(2);
const [name = '', ...password] = admin.split(':');
const root = new Client(() => url, { name, password: password.join(':') });
const run = Date.now().toString(36);
const USER_PASSWORD = `Fuzz-${run}-Passw0rd`;
const [owner, org, repo] = [`fuzz-${run}`, `fuzz-org-${run}`, 'seeded'];
const CONFIGURATION = 'schemathesis.toml';
const user = new Client(() => url, { name: owner, password: USER_PASSWORD });

const folder = await mkdtemp(join(tmpdir(), 'copse-schemathesis-'));

/** Makes what is not there, or not any more: requests may delete anything that they name. */
async function seed(): Promise<void> {
  const account = { username: owner, email: `${owner}@example.com`, password: USER_PASSWORD, must_change_password: false };
  await root.post('/admin/users', account);
  // As the administrator, requests may have shut the user out.
  const usual = { login_name: owner, source_id: 0, active: true, prohibit_login: false, restricted: false, visibility: 'public' };
  await root.patch(`/admin/users/${owner}`, usual);
  await user.post('/orgs', { username: org });
  await user.post(`/orgs/${org}/repos`, { name: repo, auto_init: true });
  await user.patch(`/repos/${owner}/${repo}`, {
    archived: false,
    private: false,
    has_issues: true,
    has_pull_requests: true,
    has_wiki: true,
  });
  const made = await user.post('/user/repos', { name: repo, auto_init: true, readme: 'Default', default_branch: 'main' });
  if (made.status === 201) await Promise.all([fill(`/repos/${owner}/${repo}`), fillAccount()]);
}

/** Puts one of most things into a repository. */
async function fill(at: string): Promise<void> {
  const content = Buffer.from('text').toString('base64');
  await user.post(`${at}/contents/docs/a.txt`, { content, new_branch: 'topic' });
  const workflow = Buffer.from('on: workflow_dispatch\njobs:\n  one:\n    runs-on: x\n    steps: [{ run: echo }]\n').toString('base64');
  await user.post(`${at}/contents/.gitea/workflows/one.yaml`, { content: workflow });
  await user.post(`${at}/milestones`, { title: 'milestone' });
  await user.post(`${at}/labels`, { name: 'label', color: '#123456' });
  for (const title of ['one', 'two']) await user.post(`${at}/issues`, { title, body: 'text', labels: [1], milestone: 1 });
  await user.post(`${at}/issues/1/comments`, { body: 'comment' });
  await user.post(`${at}/issues/1/times`, { time: 60 });
  const form = new FormData();
  form.append('attachment', new Blob(['text']), 'a.txt');
  await user.send('POST', `${at}/issues/1/assets`, { form });
  await user.post(`${at}/tag_protections`, { name_pattern: 'x*' });
  await user.post(`${at}/issues/1/reactions`, { content: 'heart' });
  await user.post(`${at}/pulls`, { title: 'pull', head: 'topic', base: 'main' });
  await user.post(`${at}/pulls/3/reviews`, { event: 'COMMENT', comments: [{ path: 'docs/a.txt', body: 'here', new_position: 1 }] });
  await user.post(`${at}/releases`, { tag_name: 'v1', name: 'release' });
  await user.post(`${at}/branch_protections`, { rule_name: 'protected' });
  await user.post(`${at}/hooks`, { type: 'gitea', config: { url: 'http://localhost:9/', content_type: 'json' } });
  await user.post(`${at}/wiki/new`, { title: 'Home', content_base64: content });
}

/** Puts one of most things into an account and an organization. */
async function fillAccount(): Promise<void> {
  const config = { url: 'http://localhost:9/', content_type: 'json' };
  for (const [client, place] of [
    [user, '/user'],
    [user, `/orgs/${org}`],
    [root, '/admin'],
  ] as const)
    await client.post(`${place}/hooks`, { type: 'gitea', config });
  await user.post(`/orgs/${org}/labels`, { name: 'label', color: '#123456' });
  await user.post(`/orgs/${org}/teams`, { name: 'team', permission: 'write', units: ['repo.code'] });
  await user.post('/user/applications/oauth2', { name: 'app', redirect_uris: ['https://example.com/'] });
  for (const place of ['/user', `/orgs/${org}`, `/repos/${owner}/${repo}`]) {
    await user.put(`${place}/actions/secrets/SECRET`, { data: 'text' });
    await user.post(`${place}/actions/variables/VARIABLE`, { value: 'text' });
  }
  await user.send('PUT', `//api/packages/${owner}/generic/thing/1.0/a.txt`, { raw: 'text', type: 'application/octet-stream' });
  await user.post(`/packages/${owner}/cleanup-rules`, { type: 'generic', enabled: true, keep_count: 1 });
}

/** Runs schemathesis; returns its exit code. */
async function fuzz(client: Client): Promise<number> {
  const { password: token } = await client.token();
  const command = ['run', `${url}/swagger.v1.json`, '--header', `Authorization: token ${token}`, '--no-color', ...options];
  const child = spawn('schemathesis', ['--config-file', CONFIGURATION, ...command], { stdio: 'inherit', cwd: folder });
  const ended = new Promise<number>((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code ?? 1)));
  let over = false;
  const finished = ended.finally(() => {
    over = true;
  });
  finished.catch(() => {});
  try {
    while (!over) {
      await seed();
      await Promise.race([pause(5000), finished]);
    }
    return await finished;
  } finally {
    // When seeding fails, the program still runs, and writes into the folder that is removed next.
    child.kill();
    await finished.catch(() => {});
  }
}

function assignments(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([parameter, value]) => `"path.${parameter}" = ${JSON.stringify(value)}`)
    .join('\n');
}

try {
  await seed();
  const values = { owner, repo, org, template_owner: owner, template_repo: repo, index: 1, base: 'main', sha: 'main', ref: 'main' };
  const places = await parameterValues(user, root, { owner, org, repo });
  const { paths } = await root.must('GET', '//swagger.v1.json');
  // Of several sections that are about a path, the program takes one.
  const sections = Object.keys(paths).map((path) => {
    const given = places.filter(([pattern]) => new RegExp(pattern).test(path)).map(([, known]) => known);
    return `[[operations]]\ninclude-path = ${JSON.stringify(path)}\n[operations.parameters]\n${assignments(Object.assign({}, values, ...given))}\n`;
  });
  await writeFile(join(folder, CONFIGURATION), sections.join('\n'));
  const codes = [await fuzz(root)];
  await seed();
  await root.patch(`/admin/users/${owner}`, { login_name: owner, source_id: 0, password: USER_PASSWORD, must_change_password: false });
  codes.push(await fuzz(user));
  process.exitCode = Math.max(...codes);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
