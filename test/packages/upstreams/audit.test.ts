// On SQLite alone: the test of npm covers both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { testServer } from '../../support/server.ts';
import { registry } from '../support/registry.ts';
import { addUpstream, stubUpstream } from '../support/upstream.ts';

const stub = await stubUpstream();
const t = await testServer({ packages: { upstreams: 'owners' }, outgoing: { allowedHosts: ['localhost'] } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const npm = registry('alice');
const PATH = '/-/npm/v1/security/advisories/bulk';
const advisory = [{ id: 1, severity: 'high', vulnerable_versions: '<2' }];
await addUpstream(alice, 'alice', { type: 'npm', url: stub.url, priority: 2, deny: ['@secret/**'] });
await addUpstream(alice, 'alice', { type: 'npm', url: `${stub.url}/other`, priority: 1, allow: ['@other/*'] });

/** Makes the stub have advisories; returns what it was asked for. */
function hasAdvisories(path: string, advisories: unknown): string[] {
  const asked: string[] = [];
  stub.has(path, async (request, response) => {
    asked.push(`${request.method} ${Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))}`);
    response.writeHead(200).end(JSON.stringify(advisories));
  });
  return asked;
}

const audit = (installed: unknown, caller = alice) =>
  npm.post(caller, `npm${PATH}`, new Uint8Array(gzipSync(JSON.stringify(installed))), { 'content-encoding': 'gzip' });

describe('an audit of npm', () => {
  it('has the advisories of what comes from upstreams, to which no other names are told', async () => {
    const asked = hasAdvisories(PATH, { left: advisory, 'not-asked': advisory });
    hasAdvisories(`/other${PATH}`, { left: 'not asked', '@other/tool': advisory });
    const installed = { left: ['1.0.0'], '@secret/tool': ['1.0.0'], '../x': ['1'], '@other/tool': ['1.0.0'], right: ['2.0.0', 3] };
    const response = await audit(installed);
    assert.deepEqual([response.status, response.json], [200, { left: advisory, '@other/tool': advisory }]);
    assert.deepEqual(asked, ['POST {"left":["1.0.0"],"right":["2.0.0"]}']);
    const plain = await npm.post(alice, `npm${PATH}`, JSON.stringify({ '@secret/tool': ['1.0.0'] }));
    assert.deepEqual([plain.status, plain.json, asked.length], [200, {}, 1]);
  });

  it('fails where nobody knows of advisories', async () => {
    assert.equal((await registry('bob').post(bob, `npm${PATH}`, '{}')).status, 404);
    assert.equal((await audit({ left: ['1.0.0'] }, t.anonymous)).status, 401);
    stub.has(PATH, 'no JSON');
    assert.equal((await audit({ left: ['1.0.1'] })).status, 502);
    stub.hasNot(PATH);
    assert.equal((await audit({ left: ['1.0.2'] })).status, 404);
  });

  it('refuses what is no list of packages', async () => {
    assert.equal((await audit([])).status, 400);
    assert.equal((await audit(Object.fromEntries(Array.from({ length: 3001 }, (_, index) => [`a${index}`, []])))).status, 400);
    const bomb = new Uint8Array(gzipSync(`{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`));
    assert.ok(gunzipSync(bomb).length > bomb.length);
    assert.equal((await npm.post(alice, `npm${PATH}`, bomb, { 'content-encoding': 'gzip' })).status, 400);
    assert.equal((await npm.post(alice, `npm${PATH}`, 'x', { 'content-encoding': 'gzip' })).status, 400);
  });
});
