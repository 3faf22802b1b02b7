// On SQLite alone: what the pages ask of the database, their own tests ask of both.
import assert from 'node:assert/strict';
import { Secret } from 'otpauth';
import { firstAccountCode } from '../../../src/accounts/first-account.ts';
import { oneTimeCode } from '../../support/one-time-code.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { receiver } from '../../webhooks/receiver.ts';
import type { Hands } from './hands.ts';
import { playJourneys } from './journey.ts';

const fresh = await testServer();
const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const alice = await t.user('alice');
await t.user('bob');
const { url: hookUrl, until } = await receiver();

playJourneys('the first start', fresh, [
  {
    name: 'makes the administrator with the code of the log',
    isMain: true,
    play: async (hands) => {
      await fresh.context.db.deleteFrom('users').execute();
      await hands.visit('');
      await hands.follow(hands.link('Create the administrator account'));
      await hands.write(hands.field('The code from the log'), firstAccountCode(fresh.context.secrets));
      await hands.write(hands.field('User name'), 'first');
      await hands.write(hands.field('E-mail address'), 'first@example.com');
      await hands.write(hands.field('Password'), PASSWORD);
      await hands.write(hands.field('Confirm password'), PASSWORD);
      await hands.follow(hands.button('Create account'));
      await hands.sees('Create your first repository');
    },
  },
]);

playJourneys('people and their rights', t, [
  {
    name: 'registers, sets up two-factor sign-in, and signs in with it',
    play: async (hands, key) => {
      await hands.visit('user/sign_up');
      await hands.write(hands.field('User name'), `carol-${key}`);
      await hands.write(hands.field('E-mail address'), `carol-${key}@example.com`);
      await hands.write(hands.field('New password'), PASSWORD);
      await hands.write(hands.field('Confirm password'), PASSWORD);
      await hands.follow(hands.button('Create account'));
      await hands.visit('user/settings/security');
      await hands.follow(hands.link('Set up'));
      const secret = Secret.fromBase32((await hands.page.innerText('main code')).replaceAll(' ', ''));
      await hands.write(hands.field('Code from the app'), oneTimeCode(secret));
      await hands.follow(hands.button('Turn on'));
      await hands.sees('Keep this recovery code');
      await hands.follow(hands.link('Done'));
      await hands.visit('user/logout');
      await hands.follow(hands.button('Sign out'));
      await hands.visit('user/login');
      await hands.write(hands.field('User name or e-mail address'), `carol-${key}`);
      await hands.write(hands.field('Password'), PASSWORD);
      await hands.follow(hands.button('Sign in'));
      await hands.write(hands.field(/Code from your authenticator app/), oneTimeCode(secret, 1));
      await hands.follow(hands.button('Sign in'));
      await hands.sees('Welcome');
    },
  },
  {
    name: 'makes an organization with a team, and adds somebody to it',
    as: alice,
    play: async (hands, key) => {
      await hands.visit('org/create');
      await hands.write(hands.field('Name'), `guild-${key}`);
      await hands.follow(hands.button('Create an organization'));
      await hands.visit(`org/guild-${key}/teams`);
      await hands.follow(hands.link('New team'));
      await hands.write(hands.field('Team name'), 'writers');
      await hands.choose(hands.field('Code'), 'Write');
      await hands.follow(hands.button('New team'));
      await hands.write(hands.field('User name'), 'bob');
      await hands.follow(hands.button('Add a member'));
      await hands.sees('bob', '.rows');
    },
  },
  {
    name: 'protects a branch, and delivers a webhook again',
    as: alice,
    play: async (hands, key) => {
      await alice.must('POST', '/user/repos', { name: `guarded-${key}`, auto_init: true });
      const settings = `alice/guarded-${key}/settings`;
      await hands.visit(`${settings}/branches`);
      await hands.follow(hands.link('Add a rule'));
      await hands.write(hands.field('Branch'), 'main');
      await hands.tick(hands.field('Require status checks to pass before merging'));
      await hands.write(hands.field('Required approvals'), '1');
      await hands.follow(hands.button('Save'));
      await hands.sees('main', '.rows');
      await hands.visit(`${settings}/hooks`);
      await hands.follow(hands.link('Add a webhook'));
      await hands.write(hands.field('Address'), hookUrl);
      await hands.tick(hands.field('Push'));
      await hands.tick(hands.field('Active'));
      await hands.follow(hands.button('Add a webhook'));
      await hands.follow(hands.link(/127.0.0.1/, hands.page.locator('.rows')));
      await hands.follow(hands.button('Send a test push event'));
      await delivered(hands, 1);
      await hands.follow(hands.button('Redeliver').first());
      await delivered(hands, 2);
      await hands.follow(hands.link('Push').first());
      await hands.sees(/Response[\s\S]*ok/);
    },
  },
  {
    name: 'administers an account, and runs a task',
    as: t.admin,
    play: async (hands, key) => {
      await hands.visit('-/admin');
      await hands.follow(hands.link('Users'));
      await hands.press(hands.fold('Create user'));
      await hands.write(hands.field('User name'), `dora-${key}`);
      await hands.write(hands.field('E-mail address'), `dora-${key}@example.com`);
      await hands.write(hands.field('Password'), PASSWORD);
      await hands.follow(hands.button('Create user'));
      await hands.tick(hands.field('Sign-in disabled'));
      await hands.follow(hands.button('Save'));
      await hands.sees('The account was updated.');
      await hands.follow(hands.link('Monitor'));
      await hands.follow(hands.button(/^Run .* now$/).first());
      await hands.follow(hands.link('Audit log'));
      await hands.sees(`dora-${key}`);
    },
  },
]);

let before = 0;
/** Waits until so many requests of this play have come, and the page shows that. */
async function delivered(hands: Hands, count: number): Promise<void> {
  if (count === 1) before = 0;
  await until(before + count);
  await t.settled();
  await hands.page.reload();
  assert.equal(await hands.page.locator('.rows .badge.success').count(), count);
}
