// On SQLite alone: the database is not asked
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { run as compress } from '../../../src/packages/indexes/bzip2-task.ts';
import { testServer } from '../../support/server.ts';
import { tar } from '../support/archives.ts';
import { inShort, registry, storedKeys } from '../support/registry.ts';

const t = await testServer({ limits: { concurrentArchives: 2, archivesPerCaller: 1, queueTimeout: 1000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');

describe('archives of packages', () => {
  it('are read one at a time for each caller, and refused when that takes too long', async () => {
    const chart = gzipSync(await tar({ 'a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n' }));
    const { id } = await alice.must('GET', '/user');
    const release = await t.context.semaphores.extractions.acquire(`user ${id}`);
    const refused = await registry('alice').post(alice, 'helm/api/charts', chart);
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.deepEqual(await storedKeys(t), []);
    assert.equal((await registry('bob').post(bob, 'helm/api/charts', chart)).status, 201);
    release();
    assert.equal((await registry('alice').post(alice, 'helm/api/charts', chart)).status, 201);
  });

  it('of Composer may be compressed with bzip2', async () => {
    const composer = registry('alice');
    const manifest = '{"name":"acme/a","version":"1.0.0","readme":"docs/About.md"}';
    const archive = await compress(await tar({ './COMPOSER.json': manifest, 'docs/about.md': 'About' }));
    assert.deepEqual(inShort(await composer.put(alice, 'composer', archive)), [201, '']);
    const { packages } = (await composer.get(alice, 'composer/p2/acme/a.json')).json;
    assert.deepEqual([packages['acme/a'][0].name, packages['acme/a'][0].version], ['acme/a', '1.0.0']);
    const missing = await compress(await tar({ 'a/composer.json': manifest }));
    assert.equal((await composer.put(alice, 'composer', missing)).status, 400);
    const broken = archive.slice(0, archive.length - 20);
    assert.match((await composer.put(alice, 'composer', broken)).text, /cannot be read/);
  });
});
