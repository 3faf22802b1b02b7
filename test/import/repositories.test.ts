import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { emptyTarget, recordedSource } from './support.ts';

const source = await recordedSource();
const target = await emptyTarget();
// Who left the organization is a collaborator without a row of `access`.
source.change('insert into `collaboration` values (3, 1, 4, 3, 1795365280, 1795365280)');
const demo = join(source.folder, 'repos/alice/demo.git');

let served: Awaited<ReturnType<typeof target.serve>>;

describe('an import of repositories', () => {
  before(async () => {
    await mkdir(join(demo, 'hooks'), { recursive: true });
    await writeFile(join(demo, 'hooks/pre-receive'), '#!/bin/sh\nexit 1\n');
    await chmod(join(demo, 'hooks/pre-receive'), 0o755);
    await writeFile(join(demo, 'config'), '[core]\n\tbare = true\n\tfsmonitor = touch /tmp/copse-import-was-here\n');
    const { code, stderr } = await target.run('--config', source.config);
    assert.equal(code, 0, stderr);
    served = await target.serve();
  });

  it('keeps what they are called, have and allow', async () => {
    const { json } = await served.as('Alice').get('/repos/Alice/Demo');
    assert.deepEqual(
      [json.id, json.full_name, json.description, json.website],
      [2, 'Alice/Demo', 'A demonstration', 'https://demo.example'],
    );
    assert.deepEqual([json.default_merge_style, json.allow_rebase, json.topics], ['squash', false, ['alpha', 'beta']]);
    assert.deepEqual([json.stars_count, json.watchers_count, json.forks_count], [1, 2, 1]);
    assert.deepEqual([json.licenses, json.empty, json.default_branch], [['MIT'], false, 'main']);
    assert.deepEqual((await served.as('').get('/repos/Alice/Demo/languages')).json, { JavaScript: 20 });
    assert.equal((await served.as('').get('/repos/bob/demo-fork')).json.parent.full_name, 'Alice/Demo');
    assert.equal((await served.as('Alice').get('/repos/Alice/template')).json.template, true);
    const moved = await served.as('Alice').get('/repos/Alice/old-name');
    assert.match(moved.headers.get('location') ?? '', /\/repos\/Alice\/new-name$/);
    const renamed = (await served.as('Alice').get('/repos/Alice/new-name')).json;
    assert.deepEqual([renamed.private, renamed.has_wiki], [true, false]);
    assert.equal((await served.as('').get('/repos/Alice/new-name')).status, 404);
    assert.equal((await served.as('').get(`//${new URL(json.avatar_url).pathname.slice(1)}`)).status, 200);
  });

  it('keeps who may do what', async () => {
    const alice = served.as('Alice');
    assert.equal((await alice.get('/repos/Alice/Demo/collaborators/bob/permission')).json.permission, 'write');
    const [rule] = (await alice.get('/repos/Alice/Demo/branch_protections')).json;
    assert.deepEqual([rule.rule_name, rule.push_whitelist_usernames, rule.required_approvals], ['release/*', ['bob'], 1]);
    const [tag] = (await alice.get('/repos/Alice/Demo/tag_protections')).json;
    assert.deepEqual([tag.name_pattern, tag.whitelist_usernames], ['v*', ['Alice']]);
    const [key] = (await alice.get('/repos/Alice/Demo/keys')).json;
    assert.deepEqual([key.title, key.read_only], ['deploy', true]);
    assert.equal((await served.as('bob').get('/repos/Acme/tools')).json.permissions.push, true);
    assert.equal((await served.as('carol').get('/repos/Acme/tools')).status, 404);
    assert.equal((await alice.get('/repos/Acme/tools/collaborators/carol')).status, 204);
    assert.equal((await alice.get('/repos/Acme/tools/collaborators/carol/permission')).json.permission, 'none');
  });

  it('has all that git has, and lets clients clone and push', async () => {
    const alice = served.as('Alice');
    const folder = await mkdtemp(join(source.folder, 'clone-'));
    const cloned = await alice.git(['clone', '-q', alice.remote('Alice/Demo'), folder], source.folder);
    assert.equal(cloned.code, 0, cloned.stderr);
    assert.match(await readFile(join(folder, 'src/a.js'), 'utf8'), /export const a/);
    await writeFile(join(folder, 'new.txt'), 'new\n');
    for (const args of [
      ['add', '.'],
      ['commit', '-q', '-m', 'New'],
      ['push', '-q', 'origin', 'main'],
    ])
      assert.equal((await alice.git(args, folder)).code, 0, args.join(' '));
    assert.equal((await alice.get('/repos/Alice/Demo/contents/new.txt')).status, 200);
    const { json: branches } = await alice.get('/repos/Alice/Demo/branches');
    assert.deepEqual(branches.map(({ name }: { name: string }) => name).sort(), ['main', 'merged', 'topic']);
    assert.deepEqual(
      (await alice.get('/repos/Alice/Demo/tags')).json.map(({ name }: { name: string }) => name),
      ['v1.0'],
    );
    assert.equal((await alice.get('/repos/Alice/Demo/wiki/page/Home')).json.title, 'Home');
    const wiki = await mkdtemp(join(source.folder, 'wiki-'));
    assert.equal((await alice.git(['clone', '-q', alice.remote('Alice/Demo.wiki'), wiki], source.folder)).code, 0);
  });

  it('takes neither configuration nor hooks of the source', async () => {
    const { path } = served.server.services.git.locate({ id: 2, object_format: 'sha1', volume: 'default' });
    assert.doesNotMatch(await readFile(join(path, 'config'), 'utf8'), /fsmonitor/);
    await assert.rejects(readFile(join(path, 'hooks/pre-receive')));
  });
});
