import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createPasswordCheck } from '../../src/accounts/password-sign-in.ts';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { createThrottle, type Throttle } from '../../src/accounts/throttle.ts';
import { secretsFromKey } from '../../src/secrets.ts';
import type { Settings } from '../../src/settings.ts';
import { testServer } from '../support/server.ts';
import { testSettings } from '../support/settings.ts';

const MINUTE = 60_000;

const t = await testServer();
const { database } = t.context;
let time = 1_000_000;

/** A throttle for which nothing has happened yet. */
function throttleWith(overrides: Partial<Settings['throttle']> = {}) {
  // What was counted for the tests before has expired.
  time += 40 * 86_400_000;
  const clock = { time };
  return { clock, throttle: throttleAt(clock, overrides) };
}

function throttleAt(clock: { time: number }, overrides: Partial<Settings['throttle']> = {}): Throttle {
  const { throttle } = testSettings({ throttle: overrides });
  return createThrottle(throttle, database, () => sql<number>`cast(${clock.time} as bigint)`);
}

/** The delays of `count` failing sign-ins; `refused` for those that were. */
async function fail(throttle: Throttle, count: number, account = 'bob', address = '192.0.2.1'): Promise<(number | 'refused')[]> {
  const delays: (number | 'refused')[] = [];
  while (delays.length < count) {
    const response = await throttle.begin({ account, address });
    delays.push(response.refused ? 'refused' : response.delay);
  }
  return delays;
}

describe('the throttle of failed sign-ins', () => {
  it('lets ten failures of an account pass, then doubles the delay up to a bound, then refuses', async () => {
    const { throttle } = throttleWith();
    assert.deepEqual(new Set(await fail(throttle, 10)), new Set([0]));
    assert.deepEqual(await fail(throttle, 7), [250, 500, 1000, 2000, 4000, 8000, 8000]);
    assert.deepEqual(new Set(await fail(throttle, 13)), new Set([8000]));
    assert.deepEqual(await fail(throttle, 2), ['refused', 'refused']);
  });

  it('counts an account wherever the failures come from, and however its name is written', async () => {
    const { throttle } = throttleWith();
    for (let i = 0; i < 15; i++) await fail(throttle, 2, i % 2 ? 'BOB' : 'bob', `192.0.2.${i}`);
    assert.deepEqual(await fail(throttle, 1, 'Bob', '198.51.100.1'), ['refused']);
    assert.deepEqual(await fail(throttle, 1, 'alice', '198.51.100.1'), [0]);
  });

  it('stays fast for hundreds of failures from one IP address with few for each account', async () => {
    const { throttle } = throttleWith();
    for (let i = 0; i < 100; i++) assert.deepEqual(await fail(throttle, 3, `user-${i}`), [0, 0, 0]);
  });

  it('slows an IP address down, then refuses it, whatever accounts it tries', async () => {
    const { throttle } = throttleWith({ freePerAddress: 20, refusedPerAddress: 23 });
    const delays = (await Array.fromAsync({ length: 24 }, (_, index) => fail(throttle, 1, `user-${index}`))).flat();
    assert.deepEqual(delays.slice(19), [0, 250, 500, 1000, 'refused']);
    assert.deepEqual(await fail(throttle, 1, 'user-99', '192.0.2.2'), [0]);
  });

  it('says how long it refuses, and refused tries do not lengthen it', async () => {
    const { throttle, clock } = throttleWith();
    await fail(throttle, 30);
    clock.time += 14 * MINUTE;
    assert.deepEqual(await throttle.begin({ account: 'bob', address: '192.0.2.1' }), { refused: true, retryAfter: MINUTE });
    clock.time += MINUTE;
    assert.deepEqual(await fail(throttle, 1), [0]);
  });

  it('forgets failures after a success', async () => {
    const { throttle } = throttleWith();
    await fail(throttle, 15);
    await throttle.succeeded({ account: 'bob', address: '192.0.2.1' });
    assert.deepEqual(new Set(await fail(throttle, 10)), new Set([0]));
  });

  it('forgives an IP address only the failures of the account that signed in', async () => {
    const { throttle } = throttleWith({ freePerAddress: 20, refusedPerAddress: 21 });
    for (let i = 0; i < 20; i++) await fail(throttle, 1, `victim-${i}`);
    await fail(throttle, 1, 'attacker');
    await throttle.succeeded({ account: 'attacker', address: '192.0.2.1' });
    assert.deepEqual(await fail(throttle, 2, 'victim-21'), [250, 'refused']);
  });

  it('does not let others lock out a user at a known IP address', async () => {
    const { throttle } = throttleWith({ freePerAddress: 40, refusedPerAddress: 50 });
    const home = { account: 'bob', address: '203.0.113.7' };
    await throttle.begin(home);
    await throttle.succeeded(home);
    await fail(throttle, 40, 'bob', '192.0.2.1');
    for (let i = 0; i < 60; i++) await fail(throttle, 1, `user-${i}`, home.address);
    assert.deepEqual(await fail(throttle, 1, 'bob', '192.0.2.9'), ['refused']);
    assert.deepEqual(await fail(throttle, 1, 'someone', home.address), ['refused']);
    assert.deepEqual(await throttle.begin(home), { refused: false, delay: 0, isCounted: true });
    assert.equal((await fail(throttle, 30, 'bob', home.address)).at(-1), 'refused');
  });

  it('holds for all processes together', async () => {
    const { throttle, clock } = throttleWith();
    const other = throttleAt(clock);
    for (let index = 0; index < 15; index++) await Promise.all([fail(throttle, 1), fail(other, 1)]);
    assert.deepEqual([await fail(throttle, 1), await fail(other, 1)], [['refused'], ['refused']]);
    const together = await Promise.all(Array.from({ length: 40 }, () => other.begin({ account: 'alice', address: '192.0.2.7' })));
    assert.equal(together.filter(({ refused }) => refused).length, 10);
  });

  it('keeps no counters that have expired', async () => {
    const { throttle, clock } = throttleWith();
    for (let index = 0; index < 30; index++) await fail(throttle, 1, `user-${index}`);
    clock.time += 40 * 86_400_000;
    time = clock.time;
    for (let index = 0; index < 30; index++) await fail(throttle, 1);
    const rows = await database.db.selectFrom('sign_in_counters').select('key').where('expires_at', '<', clock.time).execute();
    assert.deepEqual(rows, []);
  });

  it('can be switched off', async () => {
    const { throttle } = throttleWith({ enabled: false });
    assert.deepEqual(new Set(await fail(throttle, 100)), new Set([0]));
  });
});

describe('checking a presented password', () => {
  const secrets = secretsFromKey(new Uint8Array(32));

  async function setUp() {
    const settings = testSettings();
    const waits: number[] = [];
    const { clock } = throttleWith();
    const passwords = createPasswords(settings.passwords, secrets);
    const check = createPasswordCheck(passwords, throttleAt(clock), secrets, async (delay) => waits.push(delay));
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
