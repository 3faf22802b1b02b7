import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeRepository } from '../../code/repository.ts';
import { testServer } from '../../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();

describe('what no route serves', () => {
  it('responds with 404 in plain text to an unknown path', async () => {
    for (const path of ['/nothing', '/', '']) {
      const response = await t.anonymous.get(path);
      assert.deepEqual([response.status, response.text], [404, '404 page not found\n'], path);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    }
    assert.equal((await t.anonymous.get('//nothing/at/all')).text, 'Not found.\n');
  });

  it('marks responses as private for proxies', async () => {
    for (const path of ['/version', '/nothing', '//nothing/at/all'])
      assert.equal((await t.anonymous.get(path)).headers.get('cache-control'), 'max-age=0, private, must-revalidate, no-transform');
  });

  it('accepts URLs with a slash too many', async () => {
    assert.equal((await ask('/api//v1/version//')).startsWith('HTTP/1.1 200'), true);
  });

  it('refuses bodies of types that are none like those of types that it does not read, after the caller', async () => {
    const user = await t.user('typed');
    for (const [type, word] of [
      ['', 'Empty'],
      ['x', 'Unsupported'],
      ['a b', 'Unsupported'],
    ] as const) {
      const { status, json } = await user.send('POST', '/user/repos', { raw: '{}', type });
      assert.deepEqual([status, json.message], [422, `[]: ${word} Content-Type`], type);
      assert.equal((await t.anonymous.send('POST', '/user/repos', { raw: '{}', type })).status, 401);
    }
  });

  it('takes a change without a body, and what its query says', async () => {
    const user = await t.user('queried');
    assert.equal((await user.patch('/user/settings', undefined)).status, 200);
    const { json } = await user.patch('/user/settings?full_name=Asked&hide_email=true', undefined);
    assert.deepEqual([json.full_name, json.hide_email], ['Asked', true]);
    const unread = await user.patch('/user/settings?hide_email=maybe', undefined);
    assert.deepEqual([unread.status, unread.json.message], [422, '[hide_email]: Value could not be parsed as boolean']);
  });

  it('responds with 405 without a body to other methods of a known path', async () => {
    const response = await t.anonymous.send('DELETE', '/version');
    assert.deepEqual([response.status, response.text, response.headers.get('allow')], [405, '', 'GET']);
    // Clients know HEAD of pages and of archives alone.
    assert.equal((await t.anonymous.send('HEAD', '/version')).status, 405);
    // It needs a body of a media type, which nobody gave.
    const query = await t.anonymous.send('QUERY', '/version');
    assert.deepEqual([query.status, query.text, query.headers.get('allow')], [405, '', 'GET']);
    assert.equal((await t.anonymous.send('HEAD', '//swagger.v1.json')).status, 200);
  });

  it('responds to every preflight with the default rules', async () => {
    const response = await t.anonymous.send('OPTIONS', '/version');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('access-control-allow-methods'), 'POST, GET, OPTIONS, PUT, DELETE');
  });

  it('refuses a path that cannot be decoded', async () => {
    assert.equal((await t.anonymous.get('/users/%zz')).status, 400);
  });

  it('responds with 404 to what looks like the URL of another server', async () => {
    assert.match(await ask('//['), /^HTTP\/1.1 404 /);
    // The path of a repository's page.
    assert.match(await ask('//evil.example/%5c'), /^HTTP\/1.1 404 .*<!doctype html>/is);
    for (const target of ['//', '///', '*']) assert.match(await ask(target), /^HTTP\/1.1 200 .*href="\/user\/login"/s, target);
  });

  it('refuses requests to several hosts', async () => {
    for (const header of ['Host: evil.example', 'hOST: other.example']) {
      assert.match(await ask('/api/v1/version', header), /^HTTP\/1.1 400 .*several Host headers/s);
    }
    assert.match(await ask('/api/v1/version', 'Hosts: other.example'), /^HTTP\/1.1 200 /);
  });
});

/** The whole answer to a request for exactly this target, whatever it is. */
async function ask(target: string, ...headers: string[]): Promise<string> {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1');
  const lines = [`GET ${target} HTTP/1.1`, 'Host: evil.example', ...headers, 'Connection: close'];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return text(socket);
}

describe('links to further pages', () => {
  it('stay at this server, whatever URL was requested', async () => {
    for (const name of ['anna', 'bert']) await t.user(name);
    const response = await ask('http://evil.example/api/v1/users/search?limit=1');
    assert.match(response, /^HTTP\/1.1 200 .*\r\nlink: <http:\/\/127.0.0.1/s);
    assert.doesNotMatch(response, /evil/);
  });
});

describe('signing in', () => {
  it('refuses a wrong password on every route', async () => {
    const wrong = Buffer.from('admin:wrong').toString('base64');
    const response = await t.anonymous.get('/version', { headers: { authorization: `Basic ${wrong}` } });
    assert.equal(response.status, 401);
    assert.equal(response.json.message, 'invalid username, password or token');
    const file = await t.anonymous.get('//admin.keys', { headers: { authorization: `Basic ${wrong}` } });
    assert.deepEqual([file.status, file.text], [401, 'Failed to authenticate user\n'], 'files are refused in plain text');
    assert.equal((await t.anonymous.get('//nobody.keys')).text, 'Not found.\n');
  });

  it('refuses sudo to who is not an administrator', async () => {
    const alice = await t.user('alice');
    const response = await alice.get('/version?sudo=admin');
    assert.deepEqual([response.status, response.json], [403, { message: 'Only administrators allowed to sudo.' }]);
  });

  it('warns of tokens in the query and does not accept them', async () => {
    const response = await t.anonymous.get('/version?token=x');
    assert.equal(response.status, 200);
    assert.ok(response.headers.get('x-service-warning'));
  });
});

describe('stopping', () => {
  it('waits for the responses in progress, and not for their connections afterwards', async () => {
    const size = 16 * 1024 * 1024;
    await codeRepository(t, t.admin, 'demo', [{ label: 'one', files: { large: Buffer.alloc(size) } }]);
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1');
    socket.write('GET /admin/demo/raw/branch/main/large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'readable');
    const restarted = t.restart();
    await sleep(100);
    let received = 0;
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    const waited = sleep(30_000, 'it still waits', { ref: false });
    const first = await Promise.race([restarted, waited]);
    socket.destroy();
    await restarted;
    assert.equal(first, undefined);
    assert.ok(received > size, `${received} bytes came`);
  });
});
