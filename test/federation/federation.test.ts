import assert from 'node:assert/strict';
import { createHash, createVerify, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { deliver } from '../../src/federation/inbox.ts';
import { testServer } from '../support/server.ts';
import { testSettings } from '../support/settings.ts';

const defaults = testSettings();
const t = await testServer({
  federation: { ...defaults.federation, enabled: true },
  outgoing: { ...defaults.outgoing, allowedHosts: ['loopback'] },
});
const alice = await t.user('alice', { full_name: 'Alice Example' });
await t.user('hidden', { visibility: 'private' });
const { id } = await alice.must('GET', '/user');
const actor = `${t.url}api/v1/activitypub/user-id/${id}`;

/** Another instance: an actor with a key, and an inbox that keeps what it is sent. */
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const asked: IncomingMessage[] = [];
/** Actors that are being fetched, and the most at one time. */
const slow = { inFlight: 0, most: 0 };
const inbox: { request: IncomingMessage; body: string }[] = [];
const other = createServer((request, response) => {
  if (request.method === 'POST') {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      inbox.push({ request, body });
      response.writeHead(202).end();
    });
    return;
  }
  asked.push(request);
  if (request.url?.includes('redirect')) {
    response.writeHead(302, { location: `${foreign}/actor` }).end();
    return;
  }
  // A file that a user of the other instance has put there.
  if (request.url?.includes('file')) {
    const bob = `${base}/users/bob`;
    const publicKey = { id: `${base}${request.url}#main-key`, owner: bob, publicKeyPem: keys.publicKey };
    response.setHeader('content-type', request.url.includes('plain') ? 'text/plain' : 'application/activity+json');
    const id = request.url.includes('plain') ? `${base}${request.url}` : bob;
    response.end(JSON.stringify({ id, type: 'Person', inbox: `${bob}/inbox`, publicKey: { ...publicKey, owner: id } }));
    return;
  }
  response.setHeader('content-type', 'application/activity+json; charset=utf-8');
  slow.inFlight += 1;
  slow.most = Math.max(slow.most, slow.inFlight);
  const me = `${base}/users/${request.url?.split('/')[2]}`;
  const owner = request.url?.includes('liar') ? `${base}/users/bob` : me;
  const summary = request.url?.includes('large') ? 'x'.repeat(300_000) : '';
  const publicKey = { id: `${me}#main-key`, owner, publicKeyPem: keys.publicKey };
  const document = JSON.stringify({ id: me, type: 'Person', inbox: `${me}/inbox`, summary, publicKey });
  const respond = () => {
    slow.inFlight -= 1;
    response.end(document);
  };
  if (request.url?.includes('slow')) setTimeout(respond, 100);
  else respond();
});
await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
/** A third instance, whose actor claims to be bob of the other one. */
const third = createServer((_, response) => {
  const bob = `${base}/users/bob`;
  response.setHeader('content-type', 'application/activity+json');
  const publicKey = { id: `${base}/users/redirect#main-key`, owner: bob, publicKeyPem: keys.publicKey };
  response.end(JSON.stringify({ id: bob, type: 'Person', inbox: `${bob}/inbox`, publicKey }));
});
await new Promise<void>((resolve) => third.listen(0, '127.0.0.1', resolve));
const foreign = `http://127.0.0.1:${(third.address() as AddressInfo).port}`;
const base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
after(() => {
  other.closeAllConnections();
  other.close();
  third.closeAllConnections();
  third.close();
});

interface Change {
  name?: string;
  body?: string;
  headers?: Record<string, string>;
  covered?: string[];
  signature?: string;
}

/** Sends an activity to the inbox of alice, signed as bob unless something is changed. */
async function send(activity: object, { name = 'bob', covered = ['(request-target)', 'host', 'date', 'digest'], ...change }: Change = {}) {
  const path = `/api/v1/activitypub/user-id/${id}/inbox`;
  const body = JSON.stringify(activity);
  const headers: Record<string, string> = {
    host: new URL(t.url).host,
    date: new Date().toUTCString(),
    digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
    'content-type': 'application/activity+json',
    ...change.headers,
  };
  const text = covered.map((header) => `${header}: ${header === '(request-target)' ? `post ${path}` : headers[header]}`).join('\n');
  const value = change.signature ?? sign('sha256', Buffer.from(text), keys.privateKey).toString('base64');
  const signature = `keyId="${base}/users/${name}#main-key",algorithm="rsa-sha256",headers="${covered.join(' ')}",signature="${value}"`;
  return t.anonymous.send('POST', `/activitypub/user-id/${id}/inbox`, { raw: change.body ?? body, headers: { ...headers, signature } });
}

const follow = (name = 'bob') => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${base}/follows/1`,
  type: 'Follow',
  actor: `${base}/users/${name}`,
  object: actor,
});
const followers = async () => (await t.anonymous.must('GET', `/activitypub/user-id/${id}/followers`)).totalItems;

describe('federation', () => {
  it('returns the account of a resource, and nobody else', async () => {
    const { host } = new URL(t.url);
    const found = await t.anonymous.get(`//.well-known/webfinger?resource=acct:alice@${host}`);
    assert.equal(found.json.links.find(({ rel }: { rel: string }) => rel === 'self').href, actor);
    assert.equal(found.headers.get('access-control-allow-origin'), '*');
    const statusOf = async (resource: string) => (await t.anonymous.get(`//.well-known/webfinger?resource=${resource}`)).status;
    assert.equal(await statusOf(`acct:hidden@${host}`), 404);
    assert.equal(await statusOf('acct:alice@elsewhere.example'), 400);
    assert.equal(await statusOf('mailto:alice@example.com'), 200);
    assert.equal(await statusOf('mailto:nobody@example.com'), 404);
    assert.equal(await statusOf(''), 400);
  });

  it('shows actors with the same key each time, at both URLs', async () => {
    const [one, two] = await Promise.all([t.anonymous.get(`/activitypub/user-id/${id}`), t.anonymous.get('/activitypub/user/alice')]);
    assert.match(one.headers.get('content-type') ?? '', /^application\/activity\+json/);
    assert.deepEqual(one.json, two.json);
    assert.deepEqual([one.json.id, one.json.type, one.json.preferredUsername, one.json.name], [actor, 'Person', 'alice', 'Alice Example']);
    assert.equal((await t.anonymous.get(one.json.outbox.replace(`${t.url}api/v1`, ''))).json.totalItems, 0);
    assert.equal((await t.anonymous.get('/activitypub/user/hidden')).status, 404);
    assert.equal((await t.anonymous.get('/activitypub/user-id/999999')).status, 404);
    const stored = await t.context.db.selectFrom('federation_keys').select('private_key').executeTakeFirstOrThrow();
    assert.ok(!stored.private_key.includes('PRIVATE KEY'));
  });

  it('takes a follower, accepts it with a signed activity, and lets it go', async () => {
    assert.equal((await send(follow())).status, 202);
    assert.equal(await followers(), 1);
    assert.equal((await send(follow())).status, 202);
    assert.equal(await followers(), 1);
    await t.settled();
    const accepted = inbox[0];
    assert.ok(accepted);
    const { type, object } = JSON.parse(accepted.body);
    assert.deepEqual([type, object.id, object.actor], ['Accept', `${base}/follows/1`, `${base}/users/bob`]);
    assert.equal(accepted.request.headers.digest, `SHA-256=${createHash('sha256').update(accepted.body).digest('base64')}`);
    await checkSigned(accepted.request);
    assert.ok(asked[0]);
    await checkSigned(asked[0]);
    const undo = (name: string) => ({ type: 'Undo', actor: `${base}/users/${name}`, object: follow() });
    assert.equal((await send(undo('carol'), { name: 'carol' })).status, 400);
    assert.equal((await send(undo('bob'))).status, 202);
    assert.equal(await followers(), 0);
  });

  async function checkSigned(request: IncomingMessage): Promise<void> {
    const { signature = '' } = request.headers as { signature?: string };
    const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(signature)?.[1] ?? '';
    assert.equal(part('keyId'), `${actor}#main-key`);
    const covered = part('headers').split(' ');
    assert.ok(covered.includes('host') && covered.includes('(request-target)') && covered.includes('date'));
    const text = covered
      .map((name) => `${name}: ${name === '(request-target)' ? `${request.method?.toLowerCase()} ${request.url}` : request.headers[name]}`)
      .join('\n');
    const { publicKey } = await t.anonymous.must('GET', `/activitypub/user-id/${id}`);
    assert.ok(createVerify('sha256').update(text).verify(publicKey.publicKeyPem, part('signature'), 'base64'));
  }

  it('stops bringing an activity when it is aborted', async () => {
    const slow = createServer(() => controller.abort(new Error('the process stops')));
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const controller = new AbortController();
    const job = { userId: id, inbox: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/inbox`, activity: '{}' };
    await assert.rejects(deliver(job, t.context, { signal: controller.signal }), /the process stops/);
    slow.closeAllConnections();
    slow.close();
  });

  it('refuses what is not signed by its actor, for this request and now', async () => {
    const refused = async (status: number, activity: object, change: Change) => {
      const answer = await send(activity, change);
      assert.equal(answer.status, status, answer.text);
    };
    assert.equal((await t.anonymous.post(`/activitypub/user-id/${id}/inbox`, follow())).status, 401);
    assert.equal((await alice.post(`/activitypub/user-id/${id}/inbox`, follow())).status, 401);
    await refused(401, follow(), { signature: 'AAAA' });
    await refused(401, follow(), { body: JSON.stringify({ ...follow(), id: 'other' }) });
    await refused(401, follow(), { covered: ['(request-target)', 'host', 'date'] });
    await refused(401, follow(), { covered: ['(request-target)', 'date', 'digest'] });
    await refused(401, follow(), { covered: ['host', 'date', 'digest'] });
    await refused(401, follow(), { headers: { date: new Date(Date.now() - 3600_000).toUTCString() } });
    await refused(401, follow(), { headers: { date: new Date(Date.now() + 3600_000).toUTCString() } });
    await refused(401, follow(), { headers: { host: 'elsewhere.example' } });
    await refused(401, follow('liar'), { name: 'liar' });
    await refused(403, follow('carol'), {});
    await refused(400, { ...follow(), object: `${actor}0` }, {});
    await refused(400, { actor: `${base}/users/bob` }, {});
    assert.equal(await followers(), 0);
  });

  it('accepts an actor only from its own URL', async () => {
    for (const name of ['file', 'redirect']) assert.equal((await send(follow(), { name })).status, 401, name);
    assert.equal((await send(follow('plain-file'), { name: 'plain-file' })).status, 401);
    assert.equal(await followers(), 0);
  });

  it('fetches few actors at one time for one caller, and no large documents', async () => {
    slow.most = 0;
    const names = ['slow1', 'slow2', 'slow3', 'slow4', 'slow5', 'slow6'];
    const responses = await Promise.all(names.map((name) => send(follow(name), { name })));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([202]));
    assert.ok(slow.most <= defaults.federation.fetchesPerCaller, String(slow.most));
    const before = asked.length;
    await Promise.all([1, 2, 3].map(() => send(follow('slow7'), { name: 'slow7' })));
    assert.equal(asked.length, before + 1, 'the same actor is fetched once');
    assert.equal((await send(follow('large'), { name: 'large' })).status, 401);
    await t.context.db.deleteFrom('federation_followers').execute();
  });

  it('requests no key from a forbidden URL', async () => {
    const text = 'keyId="http://169.254.169.254/key",headers="(request-target) host date digest",signature="AAAA"';
    const body = JSON.stringify(follow());
    const headers = {
      signature: text,
      date: new Date().toUTCString(),
      digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
    };
    assert.equal((await t.anonymous.send('POST', `/activitypub/user-id/${id}/inbox`, { raw: body, headers })).status, 401);
  });

  it('reads no more than the settings allow', async () => {
    const raw = Buffer.alloc(defaults.federation.maxSize + 1, 'x');
    assert.equal((await t.anonymous.send('POST', `/activitypub/user-id/${id}/inbox`, { raw })).status, 413);
  });
});
