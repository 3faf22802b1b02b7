import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ensureDefaultApplications } from '../../../src/accounts/oauth2/default-applications.ts';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer({ oauth2: { defaultApplications: ['tea'] } });
const alice = await t.user('alice');
await t.user('bob');
await t.user('chief');
await t.admin.must('PATCH', '/admin/users/chief', { login_name: 'chief', source_id: 0, admin: true });
const HOSTILE = '<img src=x onerror=alert(1)>';
const FIELDS = { name: HOSTILE, redirect_uris: 'https://one.example/back\nhttps://two.example/back', confidential_client: 'on' };
const OWN = '/user/settings/applications';
const ADMIN = '/-/admin/applications';

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const browser = await signedIn('alice');
const chief = await signedIn('chief');

function secretOf({ text }: PageResponse): string {
  return /data-copy="(gto_[^"]+)"/.exec(text)?.[1] ?? '';
}

async function newestId(): Promise<number> {
  const { id } = await t.context.db.selectFrom('oauth2_applications').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  return id;
}

describe('the applications of an account', () => {
  it('are registered, changed, get a new secret, and go', async () => {
    const made = await browser.submit(await browser.get(OWN), FIELDS, `${OWN}/oauth2`);
    assert.ok(made.status === 200 && secretOf(made) !== '' && !made.text.includes(HOSTILE));
    const list = await browser.get(OWN);
    assert.ok(!list.text.includes(secretOf(made)) && !list.text.includes(HOSTILE));
    const [shown] = await alice.must('GET', '/user/applications/oauth2');
    assert.deepEqual([shown.name, shown.redirect_uris.length, shown.confidential_client], [HOSTILE, 2, true]);
    const one = `${OWN}/oauth2/${shown.id}`;
    const changed = await browser.submit(await browser.get(one), { ...FIELDS, name: 'Renamed' }, one);
    assert.equal(changed.location, OWN);
    const renewed = await browser.submit(await browser.get(one), {}, `${one}/regenerate_secret`);
    assert.ok(secretOf(renewed) !== '' && secretOf(renewed) !== secretOf(made));
    assert.equal((await browser.submit(await browser.get(one), {}, `${one}/delete`)).location, OWN);
    assert.deepEqual([(await browser.get(one)).status, (await alice.must('GET', '/user/applications/oauth2')).length], [404, 0]);
  });

  it('are refused with what was typed, and are nobody else’s', async () => {
    const refused = await browser.submit(await browser.get(OWN), { ...FIELDS, redirect_uris: 'nonsense', name: 'Kept' }, `${OWN}/oauth2`);
    assert.deepEqual([refused.status, refused.text.includes('value="Kept"')], [422, true]);
    assert.equal((await alice.must('GET', '/user/applications/oauth2')).length, 0);
    await browser.submit(await browser.get(OWN), FIELDS, `${OWN}/oauth2`);
    const one = `${OWN}/oauth2/${await newestId()}`;
    const bob = await signedIn('bob');
    assert.equal((await bob.get(one)).status, 404);
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec((await bob.get(OWN)).text) ?? [];
    for (const form of ['', '/regenerate_secret', '/delete'])
      assert.equal((await bob.send('POST', `${one}${form}`, { fields: { ...FIELDS, _token: token } })).status, 404, form);
    assert.equal((await chief.get(`${ADMIN}/oauth2/${await newestId()}`)).status, 404);
  });
});

describe('the applications of the instance', () => {
  it('are made by administrators, and outlive a start', async () => {
    assert.equal((await browser.get(ADMIN)).status, 403);
    const made = await chief.submit(await chief.get(ADMIN), { ...FIELDS, name: 'Chat' }, `${ADMIN}/oauth2`);
    assert.ok(secretOf(made) !== '');
    const id = await newestId();
    await ensureDefaultApplications(t.context);
    const one = `${ADMIN}/oauth2/${id}`;
    const page = await chief.get(one);
    assert.ok(page.status === 200 && page.text.includes('value="Chat"'));
    assert.equal((await browser.get(`${OWN}/oauth2/${id}`)).status, 404);
    assert.equal((await chief.submit(page, {}, `${one}/delete`)).location, ADMIN);
  });

  it('leave those that the settings offer to the settings', async () => {
    await ensureDefaultApplications(t.context);
    const { id } = await t.context.db
      .selectFrom('oauth2_applications')
      .select('id')
      .where('name', '=', 'tea')
      .where('user_id', 'is', null)
      .executeTakeFirstOrThrow();
    const { text } = await chief.get(ADMIN);
    assert.ok(text.includes('Built in') && !text.includes(`${ADMIN}/oauth2/${id}`));
    assert.equal((await chief.get(`${ADMIN}/oauth2/${id}`)).status, 404);
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec(text) ?? [];
    for (const form of ['', '/regenerate_secret', '/delete']) {
      const { status } = await chief.send('POST', `${ADMIN}/oauth2/${id}${form}`, { fields: { ...FIELDS, _token: token } });
      assert.equal(status, 404, form);
    }
    assert.ok((await t.context.db.selectFrom('oauth2_applications').select('id').where('id', '=', id).execute()).length === 1);
  });
});
