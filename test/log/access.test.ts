// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AccessLog } from '../../src/log/access.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { testSettings } from '../support/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'copse-access-'));
const file = join(folder, 'access.log');
const t = await testServer({ log: { access: 'json', accessFile: file } });
const alice = await t.user('alice');

const lines = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const lineOf = async (requestId: string) => {
  await eventually(async () => lines().some((line) => line.requestId === requestId), 'the line of the request');
  return lines().find((line) => line.requestId === requestId) ?? {};
};

describe('the access log', () => {
  it('has a line for each request, with the id that the response has, and no query', async () => {
    const response = await alice.send('GET', '/users/alice?token=hush-hush&access_token=hush', {
      headers: { 'x-request-id': 'proxy-4711' },
    });
    assert.equal(response.headers.get('x-request-id'), 'proxy-4711');
    const line = await lineOf('proxy-4711');
    assert.deepEqual(
      [line.method, line.path, line.route, line.status, line.user, line.userAgent],
      ['GET', '/api/v1/users/alice', '/api/v1/users/:username', 200, 'alice', 'node'],
    );
    assert.ok(Number(line.bytes) > 100 && Number(line.ms) >= 0 && Number(line.userId) > 0);
    assert.ok(!readFileSync(file, 'utf8').includes('hush'));
  });

  it('makes an id where the one given is not well formed', async () => {
    for (const id of ['short', 'x'.repeat(200), 'with blanks in it', '<script>alert']) {
      const made = (await t.anonymous.get('/version', { headers: { 'x-request-id': id } })).headers.get('x-request-id') ?? '';
      assert.match(made, /^[0-9a-f-]{36}$/);
      assert.equal((await lineOf(made)).user, '');
    }
  });

  it('goes on in a new file when the old one was renamed, and writes lines that stay one line', () => {
    const path = join(folder, 'common.log');
    const log = AccessLog.open({ ...testSettings().log, access: 'common', accessFile: path });
    const record = {
      requestId: 'id-12345',
      address: '192.0.2.7',
      user: { id: 1, name: 'alice' },
      method: 'GET',
      route: '/x',
      protocol: 'HTTP/1.1',
    };
    log?.write({ ...record, path: '/a"b\nc', status: 200, bytes: 12, milliseconds: 3.4, userAgent: '' });
    assert.match(
      readFileSync(path, 'utf8'),
      /^192\.0\.2\.7 - alice \[\d{2}\/\w{3}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000\] "GET \/a\\u\{22\}b\\u\{a\}c HTTP\/1\.1" 200 12 id-12345 3ms\n$/,
    );
    renameSync(path, `${path}.1`);
    log?.reopen(path);
    log?.write({ ...record, path: '/', status: 200, bytes: 1, milliseconds: 1, userAgent: '' });
    log?.close();
    assert.equal(readFileSync(path, 'utf8').split('\n').length, 2);
  });

  it('is off where the settings do not want it', () => {
    assert.equal(AccessLog.open(testSettings().log), undefined);
  });
});
