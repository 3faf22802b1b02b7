import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { now } from '../../src/clock.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');

const pairs = { ed25519: generateKeyPairSync('ed25519'), rsa: generateKeyPairSync('rsa', { modulusLength: 3072 }) };
const added = await Promise.all(
  Object.entries(pairs).map(([title, { publicKey }]) =>
    alice.must('POST', '/user/keys', { title, key: publicKey.export({ type: 'spki', format: 'pem' }) }),
  ),
);
const [ed25519, rsa] = added.map(({ fingerprint }) => fingerprint as string);

interface SigningOptions {
  keyId?: string | undefined;
  key?: KeyObject;
  digest?: string | null;
  covered?: string[];
  created?: number;
  expires?: number;
  target?: string;
  method?: string;
  headers?: Record<string, string>;
}
function signature(path: string, options: SigningOptions = {}): Record<string, string> {
  const {
    keyId = ed25519,
    key = pairs.ed25519.privateKey,
    digest = null,
    covered = ['(request-target)', '(created)', '(expires)'],
  } = options;
  const { created = now(), expires = now() + 10, target = `/api/v1${path}`, method = 'get', headers = {} } = options;
  const values: Record<string, string> = {
    '(request-target)': `${method} ${target}`,
    '(created)': `${created}`,
    '(expires)': `${expires}`,
    ...headers,
  };
  const text = covered.map((name) => `${name}: ${values[name]}`).join('\n');
  const made = sign(digest, Buffer.from(text), key).toString('base64');
  return {
    ...headers,
    signature: `keyId="${keyId}",algorithm="hs2019",created=${created},expires=${expires},headers="${covered.join(' ')}",signature="${made}"`,
  };
}
const get = (path: string, headers: Record<string, string>) => t.anonymous.get(path, { headers });

describe('a request signed with an SSH key', () => {
  it('is that of the key’s user', async () => {
    assert.equal((await get('/user', signature('/user'))).json.login, 'alice');
    const byRsa = { keyId: rsa, key: pairs.rsa.privateKey };
    for (const digest of ['sha256', 'sha512']) assert.equal((await get('/user', signature('/user', { ...byRsa, digest }))).status, 200);
    const date = { headers: { date: new Date().toUTCString() }, covered: ['(request-target)', 'date'], created: 0, expires: 0 };
    assert.equal((await get('/user', signature('/user', date))).status, 200);
  });

  it('may have its path signed as it is sent or decoded', async () => {
    const path = '/users/search?q=a%20b';
    assert.equal((await get(path, signature(path))).status, 200);
    const encoded = '/users/al%69ce';
    assert.equal((await get(encoded, signature(encoded, { target: '/api/v1/users/alice' }))).status, 200);
  });

  it('is refused for another URL, method, key or time', async () => {
    const stranger = generateKeyPairSync('ed25519').privateKey;
    for (const [name, options] of Object.entries({
      address: { target: '/api/v1/user/emails' },
      method: { method: 'post' },
      key: { key: stranger },
      unknown: { keyId: 'SHA256:unknown' },
      digest: { keyId: rsa, key: pairs.rsa.privateKey, digest: 'sha1' },
      old: { created: now() - 400, expires: now() + 1000 },
      expired: { created: now() - 100, expires: now() - 50 },
      future: { created: now() + 100 },
      timeless: { covered: ['(request-target)'], created: 0, expires: 0 },
      anywhere: { covered: ['(created)', '(expires)'] },
    } satisfies Record<string, SigningOptions>)) {
      assert.equal((await get('/user', signature('/user', options))).status, 401, name);
    }
  });

  it('cannot manage tokens, for which a password is needed', async () => {
    assert.equal((await get('/users/alice/tokens', signature('/users/alice/tokens'))).status, 401);
  });

  it('is like any other where the key is that of another service', async () => {
    const response = await get('/user', signature('/user', { keyId: 'https://elsewhere.example/users/1#key' }));
    assert.deepEqual([response.status, response.json.message], [401, 'token is required']);
    for (const header of ['', 'nonsense', 'keyId="SHA256:x"', 'x'.repeat(8000)])
      assert.equal((await get('/version', { signature: header })).status, 200, header.slice(0, 20));
  });

  it('may do what the token may that added the key, and no more', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const token = await alice.token(['write:user']);
    const key = publicKey.export({ type: 'spki', format: 'pem' });
    const { fingerprint } = await token.must('POST', '/user/keys', { title: 'by a token', key });
    const as = { keyId: fingerprint, key: privateKey };
    assert.equal((await get('/user', signature('/user', as))).status, 200);
    assert.equal((await get('/repos/search', signature('/repos/search', as))).status, 403);
  });

  it('is refused once the key is removed', async () => {
    await alice.must('DELETE', `/user/keys/${added[0].id}`);
    assert.equal((await get('/user', signature('/user'))).status, 401);
  });
});
