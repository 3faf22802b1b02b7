import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Secret } from 'otpauth';
import { Browser } from '../../support/browser.ts';
import { mailbox } from '../../support/mailbox.ts';
import { oneTimeCode } from '../../support/one-time-code.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { testSettings } from '../../support/settings.ts';

const box = await mailbox();
const t = await testServer({
  mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>' },
  registration: { ...testSettings().registration, confirmEmail: true },
  avatars: { gravatarEnabled: true, gravatarUrl: 'https://pictures.example/avatar' },
});
const fixed = await testServer({ users: { disabledFeatures: ['manage_credentials', 'change_full_name'] } });
const alice = await t.user('alice', { is_active: true });
await t.user('bob', { is_active: true });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const PAGE = '/user/settings/emails';

interface Address {
  email: string;
  primary: boolean;
  verified: boolean;
}
const addresses = async () =>
  (await alice.must('GET', '/user/emails')).map(({ email, primary, verified }: Address) => [email, primary, verified]);
const idOf = async (email: string) =>
  String((await t.context.db.selectFrom('email_addresses').select('id').where('lower_email', '=', email).executeTakeFirstOrThrow()).id);
const post = async (name: string, fields: Record<string, string>) => {
  const page = await browser.get(PAGE);
  const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  return browser.send('POST', `${PAGE}/${name}`, { fields: { _token: token, ...fields } });
};

describe('the page of e-mail addresses', () => {
  it('adds one, sends its link again, and makes it the primary one', async () => {
    assert.equal((await post('add', { email: 'new@example.com' })).location, PAGE);
    assert.match((await browser.get(PAGE)).text, /new@example\.com <span class="badge warning">not confirmed/);
    const id = await idOf('new@example.com');
    assert.equal((await post('primary', { id, password: PASSWORD })).status, 422, 'it is not confirmed yet');
    await t.settled();
    const sent = box.link('new@example.com', 'user/activate_email');
    assert.equal((await post('confirm', { id })).location, PAGE);
    await t.settled();
    assert.equal(box.link('new@example.com', 'user/activate_email').split('?')[0], sent.split('?')[0]);
    const page = await browser.get(sent);
    await browser.submit(
      { ...page, text: page.text.replace('<form method="post">', '<form method="post" action="/user/activate_email">') },
      {},
    );
    assert.equal((await post('confirm', { id })).status, 422, 'it is confirmed');
    assert.equal((await post('primary', { id, password: 'wrong' })).status, 403);
    assert.equal((await alice.must('GET', '/user')).email, 'alice@example.com');
    assert.equal((await post('primary', { id, password: PASSWORD })).location, PAGE);
    assert.deepEqual(await addresses(), [
      ['alice@example.com', false, true],
      ['new@example.com', true, true],
    ]);
    assert.equal((await alice.must('GET', '/user')).email, 'new@example.com');
  });

  it('keeps the primary one and removes others', async () => {
    assert.equal((await post('remove', { email: 'new@example.com' })).status, 400);
    assert.equal((await post('remove', { email: 'alice@example.com' })).location, PAGE);
    assert.deepEqual(await addresses(), [['new@example.com', true, true]]);
  });

  it('mails an address once in a minute, however often it is added', async () => {
    for (let i = 0; i < 3; i++) {
      await post('add', { email: 'victim@example.com' });
      await post('remove', { email: 'victim@example.com' });
    }
    await t.settled();
    assert.equal(box.mails.filter(({ to }) => to.includes('victim@example.com')).length, 1);
  });

  it('does nothing to the address of somebody else', async () => {
    const id = await idOf('bob@example.com');
    for (const [name, fields] of [
      ['primary', { id, password: PASSWORD }],
      ['confirm', { id }],
      ['remove', { email: 'bob@example.com' }],
    ] as const) {
      assert.equal((await post(name, fields)).status, 404, name);
    }
    assert.equal((await browser.send('POST', `${PAGE}/remove`, { fields: { email: 'new@example.com' } })).status, 403, 'no token');
    assert.deepEqual(await addresses(), [['new@example.com', true, true]]);
  });
});

describe('a user without a picture', () => {
  it('has the Gravatar of an address that is not hidden, where the instance has that', async () => {
    const digest = createHash('sha256').update('bob@example.com').digest('hex');
    const picture = async () => (await t.admin.must('GET', '/users/bob')).avatar_url;
    assert.equal(await picture(), `https://pictures.example/avatar/${digest}?d=identicon`);
    await t.context.db.updateTable('users').set({ keep_email_private: true }).where('name', '=', 'bob').execute();
    assert.match(await picture(), /\/avatars\/[0-9a-f]{32}$/);
  });
});

describe('two-factor sign-in of somebody who lost the device', () => {
  it('is turned off by an administrator', async () => {
    const page = await browser.get('/user/settings/security/two_factor/enroll');
    const key = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    const path = '/user/settings/security/two_factor/enroll';
    const text = page.text.replace('<form method="post">', `<form method="post" action="${path}">`);
    await browser.submit({ ...page, text }, { code: oneTimeCode(Secret.fromBase32(key)) }, path);
    assert.equal((await alice.get('/user')).status, 401, 'the password alone is not enough');
    assert.equal((await t.anonymous.delete('/admin/users/alice/2fa')).status, 401);
    assert.equal((await t.admin.delete('/admin/users/alice/2fa')).status, 204);
    assert.equal((await alice.get('/user')).status, 200);
    assert.equal((await t.admin.delete('/admin/users/alice/2fa')).status, 404, 'it was off');
    assert.equal((await alice.delete('/admin/users/alice/2fa')).status, 403);
  });
});

describe('an instance where users do not change how they sign in', () => {
  it('keeps their addresses, passwords and full names', async () => {
    const carol = await fixed.user('carol', { full_name: 'Carol' });
    assert.equal((await carol.post('/user/emails', { emails: ['x@example.com'] })).status, 403);
    assert.equal((await carol.delete('/user/emails', { emails: ['carol@example.com'] })).status, 403);
    assert.equal((await carol.patch('/user/settings', { full_name: 'Other' })).status, 403);
    assert.equal((await carol.patch('/user/settings', { full_name: 'Carol', location: 'Ulm' })).status, 200);
    const own = new Browser(fixed.url);
    await own.signIn('carol', PASSWORD);
    const page = await own.get('/user/change_password');
    const fields = { old_password: PASSWORD, password: 'Another-Passw0rd', retype: 'Another-Passw0rd' };
    const text = page.text.replace('<form method="post">', '<form method="post" action="/user/change_password">');
    assert.equal((await own.submit({ ...page, text }, fields)).status, 403);
  });
});
