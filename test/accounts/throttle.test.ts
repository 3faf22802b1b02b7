import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPasswordCheck } from '../../src/accounts/password-sign-in.ts';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { createThrottle, type Throttle } from '../../src/accounts/throttle.ts';
import { secretsFromKey } from '../../src/secrets.ts';
import type { Settings } from '../../src/settings.ts';
import { testSettings } from '../support/settings.ts';

const MINUTE = 60_000;

function throttleWith(overrides: Partial<Settings['throttle']> = {}) {
  const clock = { time: 1_000_000 };
  return { clock, throttle: createThrottle(testSettings({ throttle: overrides }).throttle, () => clock.time) };
}

/** The delays of `count` failing sign-ins; `refused` for those that were. */
function fail(throttle: Throttle, count: number, account = 'bob', address = '192.0.2.1'): (number | 'refused')[] {
  return Array.from({ length: count }, () => {
    const response = throttle.begin({ account, address });
    return response.refused ? 'refused' : response.delay;
  });
}

describe('the throttle of failed sign-ins', () => {
  it('lets ten failures of an account pass, then doubles the delay up to a bound, then refuses', () => {
    const { throttle } = throttleWith();
    assert.deepEqual(new Set(fail(throttle, 10)), new Set([0]));
    assert.deepEqual(fail(throttle, 7), [250, 500, 1000, 2000, 4000, 8000, 8000]);
    assert.deepEqual(new Set(fail(throttle, 13)), new Set([8000]));
    assert.deepEqual(fail(throttle, 2), ['refused', 'refused']);
  });

  it('counts an account wherever the failures come from, and however its name is written', () => {
    const { throttle } = throttleWith();
    for (let i = 0; i < 15; i++) fail(throttle, 2, i % 2 ? 'BOB' : 'bob', `192.0.2.${i}`);
    assert.deepEqual(fail(throttle, 1, 'Bob', '198.51.100.1'), ['refused']);
    assert.deepEqual(fail(throttle, 1, 'alice', '198.51.100.1'), [0]);
  });

  it('stays fast for hundreds of failures from one address with few for each account', () => {
    const { throttle } = throttleWith();
    for (let i = 0; i < 300; i++) assert.deepEqual(fail(throttle, 3, `user-${i}`), [0, 0, 0]);
  });

  it('slows an address down, then refuses it, whatever accounts it tries', () => {
    const { throttle } = throttleWith({ freePerAddress: 20, refusedPerAddress: 23 });
    const delays = Array.from({ length: 24 }, (_, index) => fail(throttle, 1, `user-${index}`)[0]);
    assert.deepEqual(delays.slice(19), [0, 250, 500, 1000, 'refused']);
    assert.deepEqual(fail(throttle, 1, 'user-99', '192.0.2.2'), [0]);
  });

  it('says how long it refuses, and refused tries do not lengthen it', () => {
    const { throttle, clock } = throttleWith();
    fail(throttle, 30);
    clock.time += 14 * MINUTE;
    assert.deepEqual(throttle.begin({ account: 'bob', address: '192.0.2.1' }), { refused: true, retryAfter: MINUTE });
    clock.time += MINUTE;
    assert.deepEqual(fail(throttle, 1), [0]);
  });

  it('forgets failures after a success', () => {
    const { throttle } = throttleWith();
    fail(throttle, 15);
    throttle.succeeded({ account: 'bob', address: '192.0.2.1' });
    assert.deepEqual(new Set(fail(throttle, 10)), new Set([0]));
  });

  it('forgives an address only the failures of the account that signed in', () => {
    const { throttle } = throttleWith({ freePerAddress: 20, refusedPerAddress: 21 });
    for (let i = 0; i < 20; i++) fail(throttle, 1, `victim-${i}`);
    fail(throttle, 1, 'attacker');
    throttle.succeeded({ account: 'attacker', address: '192.0.2.1' });
    assert.deepEqual(fail(throttle, 2, 'victim-21'), [250, 'refused']);
  });

  it('does not let others lock out a user at an address that is known', () => {
    const { throttle } = throttleWith({ freePerAddress: 40, refusedPerAddress: 50 });
    const home = { account: 'bob', address: '203.0.113.7' };
    throttle.begin(home);
    throttle.succeeded(home);
    fail(throttle, 40, 'bob', '192.0.2.1');
    for (let i = 0; i < 60; i++) fail(throttle, 1, `user-${i}`, home.address);
    assert.deepEqual(fail(throttle, 1, 'bob', '192.0.2.9'), ['refused']);
    assert.deepEqual(fail(throttle, 1, 'someone', home.address), ['refused']);
    assert.deepEqual(throttle.begin(home), { refused: false, delay: 0 });
    assert.equal(fail(throttle, 30, 'bob', home.address).at(-1), 'refused');
  });

  it('keeps a bounded number of counters', () => {
    const { throttle } = throttleWith({ freePerAddress: 900_000, refusedPerAddress: 1_000_000 });
    fail(throttle, 15, 'first');
    for (let i = 0; i < 100_000; i++) throttle.begin({ account: `flood-${i}`, address: '192.0.2.1' });
    assert.deepEqual(fail(throttle, 1, 'first'), [0]);
  });

  it('can be switched off', () => {
    const { throttle } = throttleWith({ enabled: false });
    assert.deepEqual(new Set(fail(throttle, 100)), new Set([0]));
  });
});

describe('checking a presented password', () => {
  const secrets = secretsFromKey(new Uint8Array(32));

  async function setUp() {
    const settings = testSettings();
    const waits: number[] = [];
    const passwords = createPasswords(settings.passwords, secrets);
    const check = createPasswordCheck(passwords, createThrottle(settings.throttle), secrets, async (delay) => waits.push(delay));
    const bob = { account: 'bob', address: '192.0.2.1', hash: await passwords.hash('right') };
    return { check, bob, waits };
  }

  it('distinguishes right and wrong, but not unknown accounts', async () => {
    const { check, bob, waits } = await setUp();
    assert.deepEqual(await check({ ...bob, password: 'wrong' }), { right: false });
    assert.deepEqual(await check({ ...bob, password: 'right', hash: null }), { right: false });
    assert.deepEqual(await check({ ...bob, password: 'right' }), { right: true });
    assert.deepEqual(waits, []);
  });

  it('delays the response, for the right password too, and refuses above the bound', async () => {
    const { check, bob, waits } = await setUp();
    for (let i = 0; i < 11; i++) await check({ ...bob, password: `wrong ${i}` });
    assert.deepEqual(waits, [250]);
    assert.deepEqual(await check({ ...bob, password: 'right' }), { right: true });
    assert.deepEqual(waits, [250, 500]);
    for (let i = 0; i < 30; i++) assert.deepEqual(await check({ ...bob, password: `wrong ${i}` }), { right: false });
    const refused = await check({ ...bob, password: 'never seen' });
    assert.ok(!refused.right && 'retryAfter' in refused && refused.retryAfter > 0);
    assert.deepEqual(await check({ ...bob, password: 'right' }), { right: true }, 'what was verified a moment ago needs no check');
  });

  it('counts guesses that come at one time', async () => {
    const { check, bob } = await setUp();
    const verdicts = await Promise.all(Array.from({ length: 40 }, (_, index) => check({ ...bob, password: `guess ${index}` })));
    assert.equal(verdicts.filter((verdict) => 'retryAfter' in verdict).length, 10);
  });

  it('takes the same attempt many times at once for one', async () => {
    const { check, bob, waits } = await setUp();
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => check({ ...bob, password: 'right' })));
    assert.ok(verdicts.every((verdict) => verdict.right));
    assert.deepEqual(waits, []);
  });
});
