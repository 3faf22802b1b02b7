import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { mailbox } from '../../support/mailbox.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const box = await mailbox();
const t = await testServer({ mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'copse@example.com' } });
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/orgs', { username: 'acme', visibility: 'private' });
const { id: team } = await alice.must('POST', '/orgs/acme/teams', {
  name: 'Coders',
  permission: 'read',
  units_map: { 'repo.code': 'read' },
});
const PAGE = '/org/acme/teams/coders';
const INVITE = `${PAGE}/action/invite`;
const WITHDRAW = `${PAGE}/action/remove_invite`;

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const browser = await signedIn('alice');
const invite = async (email: string) => browser.submit(await browser.get(PAGE), { email }, INVITE);

async function linkTo(email: string): Promise<string> {
  await t.settled();
  return box.link(email, 'org/invite/').replace(/[^\w-]+$/, '');
}

describe('an invitation by mail', () => {
  it('takes somebody in who makes an account for it, once', async () => {
    assert.equal((await invite('Carol@example.com')).location, PAGE);
    const link = await linkTo('Carol@example.com');
    const row = await t.context.db.selectFrom('team_invitations').selectAll().executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes(link.split('/').at(-1) ?? '-'));
    const carol = new Browser(t.url);
    const shown = await carol.get(link);
    assert.ok(shown.status === 200 && shown.text.includes('alice invites you to the team Coders of acme'));
    const [, register = ''] = /href="([^"]*sign_up\?[^"]*)"/.exec(shown.text) ?? [];
    const account = { user_name: 'carol', email: 'other@example.com', password: PASSWORD, retype: PASSWORD };
    const made = await carol.submit(await carol.get(register), account);
    assert.equal(made.location, link);
    const page = await carol.get(link);
    assert.equal((await alice.get(`/teams/${team}/members/carol`)).status, 404, 'looking does nothing');
    assert.equal((await carol.submit(page, {}, link)).location, PAGE);
    assert.equal((await alice.get(`/teams/${team}/members/carol`)).status, 200);
    assert.equal((await (await signedIn('bob')).get(link)).status, 404);
    const [entry] = await alice.must('GET', '/orgs/acme/audit?action=team.member.add');
    assert.deepEqual([entry.actor.login, entry.object.name, entry.details], ['carol', 'acme/Coders', {}], 'without the secret of the link');
  });

  it('is listed, withdrawn, and made once for an address', async () => {
    await invite('dan@example.com');
    const again = await invite('DAN@example.com');
    assert.deepEqual(
      [again.status, again.text.includes('is already invited'), again.text.includes('value="DAN@example.com"')],
      [422, true, true],
    );
    const link = await linkTo('dan@example.com');
    const page = await browser.get(PAGE);
    assert.ok(page.text.includes('dan@example.com') && !page.text.includes(link));
    assert.equal((await browser.submit(page, {}, WITHDRAW)).location, PAGE);
    assert.deepEqual([(await browser.get(link)).status, (await browser.get(PAGE)).text.includes('dan@example.com')], [404, false]);
    assert.equal((await invite('no address')).status, 422);
  });

  it('is mailed some times a day alone, even when it is withdrawn', async () => {
    const refused: number[] = [];
    for (let time = 0; time < 7; time++) {
      const { status } = await invite(time % 2 ? 'frank@example.com' : 'Frank@example.com');
      refused.push(status);
      await t.context.db.deleteFrom('team_invitations').where('lower_email', '=', 'frank@example.com').execute();
    }
    assert.deepEqual(refused, [303, 303, 303, 303, 303, 422, 422]);
    await t.context.db.updateTable('sign_in_counters').set({ expires_at: 0 }).execute();
    assert.equal((await invite('frank@example.com')).status, 303);
    await t.context.db.deleteFrom('team_invitations').where('lower_email', '=', 'frank@example.com').execute();
  });

  it('is for owners to make and withdraw', async () => {
    await invite('eve@example.com');
    const { id } = await t.context.db.selectFrom('team_invitations').select('id').executeTakeFirstOrThrow();
    assert.ok(!(await (await signedIn('carol')).get(PAGE)).text.includes('eve@example.com'));
    for (const who of [await signedIn('carol'), await signedIn('bob')]) {
      const [, token = ''] = /name="_token" value="([^"]*)"/.exec((await who.get('/user/settings')).text) ?? [];
      for (const [form, fields] of [
        [INVITE, { email: 'x@example.com' }],
        [WITHDRAW, { iid: String(id) }],
      ] as const) {
        const refused = await who.send('POST', form, { fields: { _token: token, ...fields } });
        assert.equal(refused.status, 404, form);
      }
    }
    assert.equal((await t.context.db.selectFrom('team_invitations').select('id').execute()).length, 1);
  });

  it('ends with its time, with its inviter, and for who is blocked', async () => {
    const link = await linkTo('eve@example.com');
    await alice.must('PUT', '/orgs/acme/blocks/bob');
    const blocked = await signedIn('bob');
    assert.equal((await blocked.submit(await blocked.get(link), {}, link)).status, 403);
    assert.equal((await blocked.get(link)).status, 200, 'what was refused used nothing up');
    await alice.must('DELETE', '/orgs/acme/blocks/bob');
    await t.admin.must('PATCH', '/admin/users/alice', { source_id: 0, login_name: 'alice', prohibit_login: true });
    assert.equal((await blocked.get(link)).status, 404);
    await t.admin.must('PATCH', '/admin/users/alice', { source_id: 0, login_name: 'alice', prohibit_login: false });
    assert.equal((await blocked.get(link)).status, 200);
    await t.context.db.updateTable('team_invitations').set({ expires_at: 1 }).execute();
    assert.equal((await blocked.get(link)).status, 404);
    assert.equal((await bob.get(`/teams/${team}`)).status, 404);
  });
});
