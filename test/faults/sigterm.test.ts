import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { afterwards } from '../support/afterwards.ts';
import { Client } from '../support/client.ts';
import { emptyDatabase } from '../support/empty-database.ts';
import { environmentOf, ServerProcess } from '../support/server-process.ts';

const PASSWORD = 'Test-Passw0rd';
const AUTHORIZATION = `Basic ${btoa(`root:${PASSWORD}`)}`;
/** More than connections and pipes hold, so that the download is under way until it is read. */
const DOWNLOAD = randomBytes(16 * 1024 * 1024);

const folder = await mkdtemp(join(tmpdir(), 'copse-sigterm-'));
afterwards(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
const database = await emptyDatabase();

/** A mail server that never says a word, so that sending a mail is under way until somebody ends it. */
const silent = createServer();
const calls: Socket[] = [];
silent.on('connection', (socket) => calls.push(socket.on('error', () => {})));
silent.listen(0, '127.0.0.1');
await once(silent, 'listening');
afterwards(() => {
  for (const socket of calls) socket.destroy();
  silent.close();
});

const environment = environmentOf(join(folder, 'data'), {
  ...(database && { DATABASE_URL: database }),
  COPSE_ADMIN_USERNAME: 'root',
  COPSE_ADMIN_PASSWORD: PASSWORD,
  COPSE_MAIL_ENABLED: 'true',
  COPSE_MAIL_HOST: '127.0.0.1',
  COPSE_MAIL_PORT: String((silent.address() as AddressInfo).port),
  COPSE_MAIL_SECURITY: 'none',
  COPSE_MAIL_FROM: 'Copse <copse@example.com>',
  COPSE_MAIL_TIMEOUT: '10m',
});

async function start(): Promise<{ server: ServerProcess; url: string }> {
  const server = new ServerProcess(environment);
  afterwards(() => server.child.kill('SIGKILL'));
  return { server, url: String((await server.logged('serving')).url) };
}

/** A request on a connection of its own that would be kept. */
function open(method: string, url: string, headers: Record<string, string> = {}): ClientRequest {
  return request(url, { method, agent: new Agent({ keepAlive: true }), headers: { authorization: AUTHORIZATION, ...headers } });
}

async function answered(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await response.toArray());
}

it('SIGTERM: what is under way gets whole responses, idle connections end, jobs are handed over', { timeout: 240_000 }, async () => {
  const { server, url } = await start();
  const root = new Client(() => url, { name: 'root', password: PASSWORD });
  await root.must('POST', '/user/repos', { name: 'demo', auto_init: true });
  await root.must('POST', '/repos/root/demo/contents/download', { content: DOWNLOAD.toString('base64') });
  const account = { username: 'bob', email: 'bob@example.com', password: PASSWORD, send_notify: true };
  const called = once(silent, 'connection');
  await root.must('POST', '/admin/users', account);
  await called;

  const idle = open('GET', `${url}api/v1/version`).end();
  const idleResponse = await answered(idle);
  assert.equal(idleResponse.headers.connection, 'keep-alive');
  await bodyOf(idleResponse);
  const idleEnded = once(idle.socket ?? assert.fail('no connection'), 'close');

  const download = open('GET', `${url}api/v1/repos/root/demo/raw/download`).end();
  const downloading = await answered(download);
  assert.equal(downloading.statusCode, 200);

  const body = JSON.stringify({ content: Buffer.from('text').toString('base64') });
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), expect: '100-continue' };
  const upload = open('POST', `${url}api/v1/repos/root/demo/contents/upload`, headers);
  upload.flushHeaders();
  await once(upload, 'continue');

  server.child.kill('SIGTERM');
  await server.logged('stopping');
  upload.end(body);
  const uploaded = await answered(upload);
  assert.equal(uploaded.statusCode, 201, server.said);
  assert.equal(uploaded.headers.connection, 'close');
  assert.equal(JSON.parse((await bodyOf(uploaded)).toString()).content.path, 'upload');
  assert.ok((await bodyOf(downloading)).equals(DOWNLOAD), server.said);
  await idleEnded;
  assert.equal(await server.ended, 0, server.said);
  assert.doesNotMatch(server.said, /"level":"error"/);

  // The mail that was being sent is sent by the next start.
  const calledAgain = once(silent, 'connection');
  const next = await start();
  await calledAgain;
  assert.equal((await new Client(() => next.url, { name: 'root', password: PASSWORD }).get('/repos/root/demo/raw/upload')).text, 'text');
  next.server.child.kill('SIGTERM');
  assert.equal(await next.server.ended, 0, next.server.said);
});
