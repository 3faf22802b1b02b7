import assert from 'node:assert/strict';
import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { hashSync } from '@node-rs/bcrypt';
import { Secret, TOTP } from 'otpauth';
import { checkPasskey, secondFactorOptions } from '../../src/accounts/passkeys/sign-in.ts';
import { checkOneTimeCode, useRecoveryCode } from '../../src/accounts/two-factor/check.ts';
import { internalContext } from '../../src/context.ts';
import { findInvitation } from '../../src/organizations/invitations/invitations.ts';
import { Authenticator } from '../support/authenticator.ts';
import { Client } from '../support/client.ts';
import { emptyTarget, recordedSource, SECRET_KEY } from './support.ts';

const source = await recordedSource();
const target = await emptyTarget();

/** As Gitea encrypts what is in its table of two-factor secrets. */
function sealed(text: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-128-cfb', createHash('md5').update(SECRET_KEY).digest(), iv);
  return Buffer.concat([iv, cipher.update(Buffer.from(text).toString('base64')), cipher.final()]).toString('base64');
}

const totp = new TOTP({ secret: Secret.fromBase32('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP') });
const BOB = "(select id from user where name = 'bob')";
const RECOVERY = 'QBFZ4H7K2M';
source.change(
  `insert into two_factor (uid, secret, scratch_salt, scratch_hash, created_unix) values (${BOB}, ?, 'salted', ?, 1700000000)`,
  sealed(totp.secret.base32),
  pbkdf2Sync(RECOVERY, 'salted', 10_000, 50, 'sha256').toString('hex'),
);
const device = new Authenticator('http://localhost/');
source.change(
  `insert into webauthn_credential (name, lower_name, user_id, credential_id, public_key, sign_count, created_unix) values ('Key', 'key', ${BOB}, ?, ?, 7, 1700000000)`,
  Buffer.from(device.id, 'base64url'),
  device.publicKey,
);
const FORM = 'application/x-www-form-urlencoded';
const SECRET = 'gto_of-the-source';
source.change("update oauth2_application set client_secret = ? where name = 'CI'", hashSync(SECRET, 4));
const TOKEN = 'fd839909b49be67431faa82d0e144864989588e6';

let served: Awaited<ReturnType<typeof target.serve>>;

describe('an import of accounts', () => {
  before(async () => {
    const dry = await target.run('--config', source.config, '--dry-run');
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, /nothing was changed$/m);
    assert.ok(!(await readdir(target.dataDir)).includes('secret.key'));
    const { code, stdout, stderr } = await target.run('--config', source.config);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^imported \d+ rows; \d+ things? not taken over as they were$/m);
    served = await target.serve();
  });

  it('keeps names, ids, times and settings', async () => {
    const { json } = await served.as('Alice').get('/user');
    assert.deepEqual([json.id, json.login, json.full_name, json.location, json.language], [2, 'Alice', 'Alice Liddell', 'Oxford', 'en-US']);
    assert.deepEqual([json.followers_count, json.following_count, json.visibility, json.active], [1, 1, 'public', true]);
    const root = (await served.as('root', 'Passw0rd-conf').get('/user')).json;
    assert.deepEqual([root.id, root.is_admin], [1, true]);
    const { json: emails } = await served.as('Alice').get('/user/emails');
    assert.deepEqual(emails.map(({ email, primary }: { email: string; primary: boolean }) => [email, primary]).sort(), [
      ['alice@example.com', true],
      ['alice@other.example', false],
    ]);
    assert.equal((await served.as('').get('/users/carol')).status, 404);
    assert.equal((await served.as('').get('/users/renamed')).headers.get('location'), '/api/v1/users/newname');
    assert.equal((await served.as('').get(`//${new URL(json.avatar_url).pathname.slice(1)}`)).headers.get('content-type'), 'image/png');
  });

  it('lets a password in, and keeps our own hash from then on', async () => {
    const { db } = served.server.services.database;
    const hashOf = async (name: string) =>
      (await db.selectFrom('users').select('password_hash').where('name', '=', name).executeTakeFirstOrThrow()).password_hash;
    assert.match(await hashOf('carol'), /^\$imported\$pbkdf2\$50000,50\$/);
    assert.equal((await served.as('carol', 'Wrong-Passw0rd').get('/user')).status, 401);
    assert.equal((await served.as('carol').get('/user')).json.login, 'carol');
    assert.match(await hashOf('carol'), /^\$argon2id\$/);
    assert.equal((await served.as('carol').get('/user')).status, 200);
  });

  it('asks for one-time codes as before', async () => {
    const { services } = served.server;
    const bob = await services.database.db.selectFrom('users').selectAll().where('name', '=', 'bob').executeTakeFirstOrThrow();
    await assert.rejects(checkOneTimeCode(services, bob, '000000'), { status: 401 });
    await checkOneTimeCode(services, bob, totp.generate());
    // With a passkey beside them, a password and a code are not enough for a request, as before.
    const refused = await served.as('bob').get('/user', { headers: { 'x-gitea-otp': totp.generate() } });
    assert.deepEqual([refused.status, refused.json.message], [401, 'basic authorization is not allowed while WebAuthn enrolled']);
  });

  it('signs in by passkeys as before', async () => {
    const { services } = served.server;
    const context = { ...internalContext(services), address: '127.0.0.1' };
    const bob = await services.database.db.selectFrom('users').selectAll().where('name', '=', 'bob').executeTakeFirstOrThrow();
    const sign = async (counter: number) => {
      const { challenge, rpId = '' } = await secondFactorOptions(context, bob, 'browser');
      const sent = device.get({ challenge, rpId }, { counter, origin: new URL(services.settings.server.rootUrl).origin });
      return checkPasskey(context, bob, { browser: 'browser', sent, ip: '127.0.0.1' });
    };
    await assert.rejects(sign(7), { status: 401 });
    await sign(8);
  });

  it('takes the recovery code once', async () => {
    const { services } = served.server;
    const bob = await services.database.db.selectFrom('users').selectAll().where('name', '=', 'bob').executeTakeFirstOrThrow();
    await assert.rejects(useRecoveryCode(services, bob, 'WRONG'), { status: 401 });
    await useRecoveryCode(services, bob, ` ${RECOVERY.toLowerCase()}`);
    await assert.rejects(useRecoveryCode(services, bob, RECOVERY), { status: 401 });
  });

  it('keeps access tokens working, with their scopes', async () => {
    const { db } = served.server.services.database;
    const saltOf = async () =>
      (await db.selectFrom('access_tokens').select('imported_salt').where('name', '=', 'all').executeTakeFirstOrThrow()).imported_salt;
    const with_ = (value: string) => new Client(() => served.server.url, { authorization: `token ${value}` });
    assert.notEqual(await saltOf(), '');
    for (const wrong of [`${'0'.repeat(32)}${TOKEN.slice(-8)}`, '1'.repeat(40)])
      assert.equal((await with_(wrong).get('/user')).status, 401);
    assert.notEqual(await saltOf(), '');
    for (const _ of [1, 2]) assert.equal((await with_(TOKEN).get('/user')).json.login, 'Alice');
    assert.equal(await saltOf(), '');
    const { json } = await served.as('Alice').get('/users/Alice/tokens');
    assert.deepEqual(json.map(({ name, scopes }: { name: string; scopes: string[] }) => [name, scopes.join()]).sort(), [
      ['all', 'all'],
      ['reading', 'read:repository,read:user'],
    ]);
  });

  it('keeps keys, applications, follows and blocks', async () => {
    const { json: keys } = await served.as('Alice').get('/user/keys');
    assert.deepEqual(
      keys.map(({ id, title }: { id: number; title: string }) => [id, title]),
      [[1, 'laptop']],
    );
    const { json: applications } = await served.as('Alice').get('/user/applications/oauth2');
    assert.deepEqual([applications[0].name, applications[0].redirect_uris], ['CI', ['https://ci.example/callback']]);
    const introspect = (secret: string) => {
      const authorization = `Basic ${Buffer.from(`${applications[0].client_id}:${secret}`).toString('base64')}`;
      return served.as('').send('POST', '//login/oauth/introspect', { raw: 'token=x', type: FORM, headers: { authorization } });
    };
    assert.equal((await introspect('gto_wrong')).status, 401);
    for (const _ of [1, 2]) assert.equal((await introspect(SECRET)).status, 200);
    assert.equal((await served.as('Alice').get('/user/following/bob')).status, 204);
    const { db } = served.server.services.database;
    const blocks = await db.selectFrom('blocks').select(['blocker_id', 'blocked_id']).execute();
    assert.deepEqual(blocks, [{ blocker_id: 3, blocked_id: 4 }]);
  });

  it('keeps organizations with their teams and members', async () => {
    const { json } = await served.as('Alice').get('/orgs/Acme');
    assert.deepEqual([json.full_name, json.visibility], ['Acme Inc.', 'limited']);
    const { json: teams } = await served.as('Alice').get('/orgs/Acme/teams');
    assert.deepEqual(
      teams.map(({ name }: { name: string }) => name),
      ['Builders', 'Owners'],
    );
    assert.deepEqual([teams[0].permission, teams[0].units_map['repo.code'], teams[0].units_map['repo.issues']], ['none', 'write', 'read']);
    assert.equal((await served.as('Alice').get(`/teams/${teams[0].id}/members/bob`)).json.login, 'bob');
    assert.equal((await served.as('Alice').get('/orgs/Acme/public_members/Alice')).status, 204);
    const { db } = served.server.services.database;
    const { team } = await findInvitation({ db }, 'k3JdU8aLq0ZxW5vB7nM2cT9pR');
    assert.equal(team.name, 'Builders');
  });

  it('gives new things the ids that come after', async () => {
    const made = await served.as('Alice').post('/user/repos', { name: 'afterwards', auto_init: true });
    assert.equal(made.status, 201, made.text);
    assert.ok(made.json.id > 6);
    assert.ok((await stat(join(target.dataDir, 'secret.key'))).isFile());
    assert.equal((await target.run('--config', source.config)).code, 1);
  });
});
