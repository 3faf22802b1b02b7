// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { runGit } from '../../src/git/processes/process.ts';
import { packet } from '../../src/git/protocol/pkt-line.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { eventually } from '../support/eventually.ts';
import { pushingServer, REQUEST, requireSound } from './pushing.ts';
import { onServer, workTree } from './work-tree.ts';

const { t, alice, bob, filled, laid } = await pushingServer();

describe('names of refs', () => {
  it('what looks like an option, or could not be asked for again, is not let in', async () => {
    const { tree, folder, first } = await filled('names');
    for (const ref of ['refs/heads/-x', 'refs/tags/--upload-pack=touch', 'refs/heads/HEAD', 'refs/pull/1/head', 'refs/for/main']) {
      const { code } = await tree.run('push', 'origin', `${first}:${ref}`);
      assert.notEqual(code, 0, ref);
      assert.equal(storedRef(folder, ref), undefined, ref);
    }
    await tree.git('push', '-q', 'origin', `${first}:refs/heads/a-b--c`, `${first}:refs/heads/ünïcode/ネコ`);
  });

  it('of pull requests are no way to leave objects behind', async () => {
    const { folder } = await laid('left-behind');
    const tree = await workTree(t, bob, 'alice/left-behind');
    const id = await tree.commit({ 'evil.txt': 'evil' });
    assert.notEqual((await tree.run('push', 'origin', 'HEAD:refs/pull/99/head')).code, 0);
    assert.equal((await t.anonymous.get(`/repos/alice/left-behind/git/commits/${id}`)).status, 404);
    const { code } = await runGit(['cat-file', '-e', id], { cwd: folder.path, okCodes: [0, 1, 128] });
    assert.notEqual(code, 0);
    // Who may write pushes a mirror with them: its branches come through.
    const mirror = await workTree(t, alice, 'alice/left-behind');
    const branch = await mirror.commit({ 'a.txt': 'a' });
    assert.notEqual((await mirror.run('push', 'origin', 'HEAD:refs/heads/mirrored', 'HEAD:refs/pull/98/head')).code, 0);
    assert.deepEqual([storedRef(folder, 'refs/heads/mirrored'), storedRef(folder, 'refs/pull/98/head')], [branch, undefined]);
  });

  it('that do not exist are deleted without an event, and without preventing other refs', async () => {
    const { tree, folder, first } = await filled('no-refs');
    const deleted = await tree.run('push', 'origin', ':refs/heads/none', ':refs/tags/none', `${first}:refs/heads/made`);
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.match(deleted.stderr, /warning: deleting a non-existent ref[\s\S]*\[deleted\] +none/);
    assert.equal(storedRef(folder, 'refs/heads/made'), first);
    assert.equal((await tree.run('push', 'origin', ':refs/heads/none')).code, 0);
    const feed = await alice.must('GET', '/repos/alice/no-refs/activities/feeds');
    const refs = feed.map(({ op_type, ref_name }: { op_type: string; ref_name: string }) => `${op_type} ${ref_name}`);
    assert.equal(refs.filter((text: string) => text.includes('none')).length, 0, refs.join());
    assert.deepEqual(await t.context.db.selectFrom('ref_moves').selectAll().execute(), []);
  });

  it('that do not exist are deleted only by those who might delete them', async () => {
    await laid('guarded');
    await alice.must('POST', '/repos/alice/guarded/branch_protections', { rule_name: 'kept/*', enable_push: true });
    await alice.must('POST', '/repos/alice/guarded/tag_protections', { name_pattern: 'v*', whitelist_usernames: ['bob'] });
    const tree = await workTree(t, alice, 'alice/guarded');
    const refusals: [string, RegExp][] = [
      ['refs/heads/kept/none', /branch kept\/none is protected from deletion/],
      ['refs/tags/v1', /Tag v1 is protected/],
      ['refs/pull/7/head', /not for pushes/],
      ['refs/for/main/none', /Can't delete not exist branch/],
    ];
    for (const [ref, reason] of refusals) {
      const { code, stderr } = await tree.run('push', 'origin', `:${ref}`);
      assert.equal(code, 1);
      assert.match(stderr, reason);
    }
    const strange = await workTree(t, bob, 'alice/guarded');
    assert.match((await strange.run('push', 'origin', ':refs/heads/none')).stderr, /User permission denied for writing/);
  });

  it('that exist are not deleted by a command that says they do not', async () => {
    const { folder, first } = await laid('zeros');
    const none = '0'.repeat(40);
    for (const ref of ['refs/heads/main', '../refs/heads/main']) {
      const raw = Buffer.concat([packet(`${none} ${none} ${ref}\0report-status`), Buffer.from('0000')]);
      const response = await alice.post('//alice/zeros.git/git-receive-pack', undefined, { raw, type: REQUEST });
      assert.equal(response.status, 200);
      assert.match(response.text, /ng /);
      assert.equal(storedRef(folder, 'refs/heads/main'), first);
    }
  });

  it('what the client says of its protocol reaches git only where it is plain', async () => {
    await laid('protocol');
    const headers = { 'git-protocol': 'version=2:$(touch /tmp/x)\\n' };
    const response = await t.anonymous.get('//alice/protocol.git/info/refs?service=git-upload-pack', { headers });
    assert.equal(response.status, 200);
    assert.ok(!response.text.includes('version 2'));
  });
});

describe('many at once, and those that break off', () => {
  // What PostgreSQL has to do with it shows with fewer.
  const count = t.context.database.dialect === 'sqlite' ? 50 : 20;
  it(`takes ${count} pushes at once`, async () => {
    const { tree, folder, first } = await filled('crowd');
    const ids = await tree.commits(
      first,
      Array.from({ length: count }, (_, n) => `crowd-${n}`),
    );
    const pushes = await Promise.all(
      Array.from({ length: count }, (_, n) => tree.run('push', '-q', 'origin', `crowd-${n}:refs/heads/crowd-${n}`)),
    );
    assert.deepEqual(
      pushes.filter(({ code }) => code !== 0).map(({ stderr }) => stderr),
      [],
    );
    const { row } = await onServer(t, 'alice', 'crowd');
    assert.equal(row.branches_count, count + 1);
    for (let n = 0; n < count; n++) assert.equal(storedRef(folder, `refs/heads/crowd-${n}`), ids[n]);
    await requireSound(folder.path);
    assert.deepEqual(await t.context.db.selectFrom('ref_moves').selectAll().execute(), []);
  });

  it('of several pushes to one branch at once, one wins and the others get an error', async () => {
    const { tree, folder, first } = await filled('race');
    const ids = await tree.commits(
      first,
      Array.from({ length: 8 }, (_, n) => `race-${n}`),
    );
    const pushes = await Promise.all(ids.map((id) => tree.run('push', '-q', 'origin', `${id}:refs/heads/main`)));
    const winners = ids.filter((_, n) => pushes[n]?.code === 0);
    assert.equal(winners.length, 1);
    assert.equal(storedRef(folder, 'refs/heads/main'), winners[0]);
  });

  it('a delta that claims a large object gets no memory for it', async () => {
    const { folder } = await laid('bomb');
    const base = Buffer.alloc(100, 1);
    const id = createHash('sha1').update(`blob ${base.length}\0`).update(base).digest();
    // The delta's own header says that 100 bytes become 5 GiB.
    const delta = Buffer.from([100, 0x80, 0x80, 0x80, 0x80, 0x14, 0x90, 100]);
    const entries = [Buffer.from([0xb4, 0x06]), deflateSync(base), Buffer.from([0x70 | delta.length]), id, deflateSync(delta)];
    const pack = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0, 0, 0, 2]), ...entries]);
    const sum = createHash('sha1').update(pack).digest();
    const head = packet(`${'0'.repeat(40)} ${id.toString('hex')} refs/tags/bomb\0report-status side-band-64k`);
    const raw = Buffer.concat([head, Buffer.from('0000'), pack, sum]);
    const { text } = await alice.post('//alice/bomb.git/git-receive-pack', undefined, { raw, type: REQUEST });
    assert.match(text, /out of memory/i);
    assert.equal(storedRef(folder, 'refs/tags/bomb'), undefined);
  });

  it('a push that is cut off leaves nothing', async () => {
    const { tree, folder, row } = await filled('cut');
    await tree.commit({ 'big.txt': randomBytes(1_000_000).toString('base64') });
    const pack = (await runGit(['pack-objects', '--all', '--stdout', '-q'], { cwd: tree.folder, input: '' })).stdout;
    const id = await tree.git('rev-parse', 'HEAD');
    const head = Buffer.concat([packet(`${'0'.repeat(40)} ${id} refs/heads/cut\0report-status`), Buffer.from('0000')]);
    const objects = () => readdir(join(folder.path, 'objects'));
    const before = (await objects()).sort();
    await new Promise<void>((resolve) => {
      const outgoing = request(`${t.url}alice/cut.git/git-receive-pack`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${alice.name}:${alice.password}`).toString('base64')}`,
          'content-type': REQUEST,
          'content-length': head.length + pack.length,
        },
      });
      outgoing.on('error', () => resolve());
      outgoing.write(head);
      outgoing.write(pack.subarray(0, pack.length / 2));
      const isBegun = async () => (await objects()).some((name) => name.startsWith('tmp'));
      void eventually(isBegun, 'a quarantine').finally(() => outgoing.destroy());
    });
    await eventually(async () => !(await objects()).some((name) => name.startsWith('tmp')), 'the end of the quarantine');
    assert.deepEqual((await objects()).sort(), before);
    assert.equal(storedRef(folder, 'refs/heads/cut'), undefined);
    assert.deepEqual(await t.context.db.selectFrom('ref_moves').selectAll().where('repository_id', '=', row.id).execute(), []);
  });
});

it('advertises for a push what git itself would', async () => {
  const { tree, folder, first } = await filled('advertised');
  await tree.git('push', '-q', 'origin', 'main:refs/heads/b', 'main:refs/heads/a/b', 'main:refs/tags/v1', 'main:refs/notes/x');
  await runGit(['update-ref', 'refs/pull/1/head', first], { cwd: folder.path });
  await alice.must('POST', '/user/repos', { name: 'nothing' });
  for (const [name, path] of [
    ['advertised', folder.path],
    ['nothing', (await onServer(t, 'alice', 'nothing')).folder.path],
  ]) {
    const config = ['-c', 'receive.advertisePushOptions=true', '-c', 'receive.hideRefs=refs/pull'];
    const { stdout } = await runGit([...config, 'receive-pack', '--stateless-rpc', '--advertise-refs', '.'], { cwd: path ?? '' });
    const { text } = await alice.get(`//alice/${name}.git/info/refs?service=git-receive-pack`);
    assert.equal(text, `001f# service=git-receive-pack\n0000${stdout.toString()}`);
  }
});
