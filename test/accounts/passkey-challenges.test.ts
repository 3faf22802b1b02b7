import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { newChallenge, useChallenge } from '../../src/accounts/passkeys/challenges.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const made = () => Buffer.from(newChallenge(t.context, 'sign-in', 'browser')).toString('base64url');
const use = (challenge: string) => useChallenge(t.context, 'sign-in', challenge, 'browser');

it('a challenge is used once, however many ask at the same time', async () => {
  const challenge = made();
  const answers = await Promise.all(Array.from({ length: 20 }, () => use(challenge)));
  assert.equal(answers.filter(Boolean).length, 1);
});

it('a used challenge stays used, also when a process whose clock is ahead has taken it for expired', async () => {
  const challenge = made();
  assert.equal(await use(challenge), true);
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 310_000 });
  try {
    assert.equal(await use(challenge), false, 'it has expired');
    assert.equal(await use(made()), true);
  } finally {
    mock.timers.reset();
  }
  assert.equal(await use(challenge), false);
  const count = () => t.context.db.selectFrom('used_challenges').select('challenge_hash').execute();
  const before = await count();
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 8_000_000 });
  try {
    assert.equal(await use(made()), true);
  } finally {
    mock.timers.reset();
  }
  assert.ok((await count()).length < before.length, 'in the end it is forgotten');
});
