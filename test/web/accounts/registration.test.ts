import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countForm, MAX_FORMS } from '../../../src/accounts/form-limit.ts';
import { Browser, lasting } from '../../support/browser.ts';
import { mailbox } from '../../support/mailbox.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { testSettings } from '../../support/settings.ts';

const box = await mailbox();
const t = await testServer({
  mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>', subjectPrefix: '[copse]' },
  registration: { ...testSettings().registration, confirmEmail: true },
});
const account = (name: string, more: object = {}) => ({
  user_name: name,
  email: `${name}@example.com`,
  password: PASSWORD,
  retype: PASSWORD,
  ...more,
});

/** Opens a link of a mail and sends the form there. */
async function follow(browser: Browser, address: string, fields: Record<string, string> = {}) {
  const page = await browser.get(address);
  const [path = ''] = address.split('?');
  return browser.submit({ ...page, text: page.text.replace('<form method="post">', `<form method="post" action="${path}">`) }, fields);
}

describe('registration', () => {
  it('makes an account that becomes active by the link in a mail', async () => {
    const browser = new Browser(t.url);
    const made = await browser.submit(await browser.get('/user/sign_up'), account('hanna'));
    assert.match(made.text, /Open the link in the e-mail/);
    assert.match((await new Browser(t.url).signIn('hanna', PASSWORD)).text, /not active/);
    await t.settled();
    const { text } = box.mails.at(-1) ?? { text: '' };
    assert.match(text, /Subject: \[copse\] Activate your account/);
    assert.match(text, /From: Copse <copse@example.com>/);
    const link = box.link('hanna@example.com', 'user/activate');
    // Looking at the link alone does nothing.
    await browser.get(link);
    assert.match((await new Browser(t.url).signIn('hanna', PASSWORD)).text, /not active/);
    const broken = `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`;
    assert.equal((await follow(browser, broken)).status, 400);
    assert.equal((await follow(browser, link)).status, 303);
    assert.equal((await browser.get('/user/settings/security')).status, 200);
    assert.equal((await follow(new Browser(t.url), link)).status, 400, 'a link is good once');
  });

  it('reveals of no address that somebody has it, and tells its owner', async () => {
    await t.user('gina', { is_active: true });
    const browser = new Browser(t.url);
    const page = await browser.get('/user/sign_up');
    const free = await browser.submit(page, account('gustav'));
    const taken = await browser.submit(page, account('gregor', { email: 'Gina@example.com' }));
    assert.equal(taken.status, free.status);
    assert.equal(lasting(taken.text), lasting(free.text));
    await t.settled();
    assert.match(box.link('Gina@example.com', 'user/forgot_password'), /forgot_password/);
    assert.equal((await t.admin.get('/users/gregor')).status, 404);
  });

  it('takes so many forms from one address', async () => {
    for (let sent = 0; sent < MAX_FORMS; sent++) await countForm(t.context, 'register', '192.0.2.7');
    await assert.rejects(countForm(t.context, 'register', '192.0.2.7'), { status: 429 });
    await countForm(t.context, 'recover', '192.0.2.7');
    await countForm(t.context, 'register', '192.0.2.8');
  });

  it('refuses what cannot be an account, and shows why', async () => {
    const browser = new Browser(t.url);
    const page = await browser.get('/user/sign_up');
    const send = async (fields: Record<string, string>) => (await browser.submit(page, fields)).text;
    assert.match(await send(account('hanna')), /The name \w+ is taken/);
    assert.match(await send(account('.bad')), /name is invalid/);
    assert.match(await send(account('ida', { email: 'nonsense' })), /e-mail/);
    assert.match(await send(account('ida', { retype: 'x' })), /do not match/);
    assert.match(await send(account('ida', { password: 'short', retype: 'short' })), /at least/);
    assert.equal((await t.admin.get('/users/ida')).status, 404);
  });

  it('confirms further addresses', async () => {
    const jana = await t.user('jana', { is_active: true });
    await jana.must('POST', '/user/emails', { emails: ['jana@other.example'] });
    const verified = async () =>
      (await jana.must('GET', '/user/emails')).find((email: { email: string }) => email.email === 'jana@other.example').verified;
    assert.equal(await verified(), false);
    await t.settled();
    const link = box.link('jana@other.example', 'user/activate_email');
    assert.equal((await follow(new Browser(t.url), link.replace('jana%40other', 'else%40other'))).status, 400);
    assert.equal((await follow(new Browser(t.url), link)).status, 200);
    assert.equal(await verified(), true);
  });

  it('sets a new password by mail, once, and does not reveal who has an account', async () => {
    await t.user('karl', { is_active: true });
    const browser = new Browser(t.url);
    await browser.signIn('karl', PASSWORD);
    assert.match((await new Browser(t.url).get('/user/login')).text, /Forgot your password/);
    const page = await browser.get('/user/forgot_password');
    const known = await browser.submit(page, { email: 'karl@example.com' });
    const unknown = await browser.submit(page, { email: 'nobody@example.com' });
    assert.equal(lasting(known.text), lasting(unknown.text));
    await t.settled();
    assert.ok(!box.mails.some(({ to }) => to.includes('nobody@example.com')));
    const link = box.link('karl@example.com', 'user/recover_account');
    const fields = { password: 'Quite-new-1', retype: 'Quite-new-1' };
    assert.equal((await follow(new Browser(t.url), link, { ...fields, retype: 'x' })).status, 422);
    assert.equal((await follow(new Browser(t.url), link, fields)).location, '/user/login');
    assert.equal((await browser.get('/user/settings/security')).status, 303, 'signed out by the new password');
    assert.equal((await browser.get(link)).status, 400);
    assert.equal((await new Browser(t.url).signIn('karl', 'Quite-new-1')).status, 303);
  });

  it('tries a mail again that was not taken, and keeps it encrypted until then', async () => {
    await t.user('lena', { is_active: true });
    box.refuse(1);
    const browser = new Browser(t.url);
    await browser.submit(await browser.get('/user/forgot_password'), { email: 'lena@example.com' });
    await t.settled();
    const [job] = await t.context.db.selectFrom('jobs').selectAll().where('type', '=', 'mail.send').execute();
    assert.equal(job?.attempts, 1);
    assert.ok(!JSON.stringify(job).includes('recover_account'));
    await t.context.db.updateTable('jobs').set({ due_at: 1 }).where('type', '=', 'mail.send').execute();
    await t.settled();
    assert.match(box.link('lena@example.com', 'user/recover_account'), /code=/);
  });

  it('notifies users of accounts that an administrator made, if that is wanted', async () => {
    const option = { password: PASSWORD, must_change_password: false };
    await t.admin.must('POST', '/admin/users', { ...option, username: 'mona', email: 'mona@example.com', send_notify: true });
    await t.admin.must('POST', '/admin/users', { ...option, username: 'nina', email: 'nina@example.com' });
    await t.settled();
    assert.match(box.link('mona@example.com', 'user/forgot_password'), /forgot_password/);
    assert.ok(!box.mails.some(({ to }) => to.includes('nina@example.com')));
  });
});
