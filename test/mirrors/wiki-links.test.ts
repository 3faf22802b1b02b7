// On SQLite alone: what a migration asks of the database is asked of both by migrate.test.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { servers } from './servers.ts';

const { t, bob, other, alice, source, urlOf } = await servers();
const CONTENT = 'Only for this server';

it('takes the symbolic links in the wiki of a source for texts', async () => {
  const secret = join(t.folder, 'secret.md');
  await writeFile(secret, CONTENT);
  const { row, path } = await source('linked', [{ label: 'one', files: { 'a.txt': '1\n' } }]);
  await alice.must('POST', `${path}/wiki/new`, { title: 'Home', content_base64: 'SG9tZQ==' });
  const wiki = other.context.git.locateWiki(row).path;
  const git = (args: string[], input = '') =>
    execFileSync('git', ['-C', wiki, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { input, encoding: 'utf8' }).trim();
  const link = (target: string) => `120000 blob ${git(['hash-object', '-w', '--stdin'], target)}`;
  const entries = [`${link(secret)}\tHome.md`, `${link(secret)}\t_Sidebar.md`, `${link(secret)}\tlogo.png`, `${link(t.folder)}\tup`];
  const tree = git(['mktree'], `${entries.join('\n')}\n`);
  git(['update-ref', git(['symbolic-ref', 'HEAD']), git(['commit-tree', '-m', 'Links', tree])]);

  const { status, json } = await bob.post('/repos/migrate', { repo_name: 'linked', clone_addr: urlOf('linked'), wiki: true });
  assert.equal(status, 201, json.message);
  const routes = ['pages', 'page/Home', 'revisions/Home'].map((route) => `/repos/bob/linked/wiki/${route}`);
  const pages = ['', '/Home', '/raw/Home.md', '/raw/logo.png', '/raw/up/secret.md'].map((page) => `//bob/linked/wiki${page}`);
  const encoded = Buffer.from(CONTENT).toString('base64').slice(0, 12);
  for (const address of [...routes, ...pages]) {
    const { status, text } = await bob.get(address);
    assert.ok(status < 500, `${status} ${address}`);
    assert.ok(!text.includes(CONTENT) && !text.includes(encoded), address);
  }
  assert.equal((await bob.get('//bob/linked/wiki/raw/up/secret.md')).status, 404);
  const edited = await bob.patch('/repos/bob/linked/wiki/page/Home', { content_base64: 'SG9tZQ==' });
  assert.ok(edited.status < 500, edited.text);
  assert.equal(await readFile(secret, 'utf8'), CONTENT);
});
