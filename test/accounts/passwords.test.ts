import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPasswords, MAX_PASSWORD_BYTES, passwordFault } from '../../src/accounts/passwords.ts';
import { BusyError } from '../../src/concurrency/semaphore.ts';
import { secretsFromKey } from '../../src/secrets.ts';
import type { Settings } from '../../src/settings.ts';
import { processorTime } from '../support/processor-time.ts';
import { testSettings } from '../support/settings.ts';

const secrets = secretsFromKey(new Uint8Array(32));

function passwordsWith(overrides: Partial<Settings['passwords']> = {}, now?: () => number) {
  return createPasswords(testSettings({ passwords: overrides }).passwords, secrets, now);
}

describe('rules for new passwords', () => {
  it('ask for a length in characters', () => {
    const rules = testSettings().passwords;
    assert.equal(rules.minLength, 8);
    assert.equal(passwordFault('1234567', rules), 'tooShort');
    assert.equal(passwordFault('12345678', rules), null);
    assert.equal(passwordFault('🔑🔑🔑🔑', rules), 'tooShort');
    assert.equal(passwordFault('x'.repeat(MAX_PASSWORD_BYTES), rules), null);
    assert.equal(passwordFault('ü'.repeat(MAX_PASSWORD_BYTES / 2 + 1), rules), 'tooLong');
  });

  it('ask for every kind of characters that is listed', () => {
    const rules = testSettings({ passwords: { complexity: ['lower', 'upper', 'digit', 'spec'] } }).passwords;
    assert.equal(passwordFault('Passw0rd!', rules), null);
    assert.equal(passwordFault('Pass w0rd', rules), null);
    for (const password of ['passw0rd!', 'PASSW0RD!', 'Password!', 'Passw0rdx', 'Ünïcödé90']) {
      assert.equal(passwordFault(password, rules), 'notComplex', password);
    }
  });
});

describe('hashing', () => {
  it('uses argon2id with the parameters of the settings', async () => {
    const passwords = passwordsWith({ hashMemory: 19 * 2 ** 20, hashIterations: 2 });
    const hash = await passwords.hash('secret');
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(await passwords.hash('secret'), hash);
    assert.equal(passwords.needsRehash(hash), false);
    assert.equal(passwordsWith().needsRehash(hash), true);
    assert.equal(await passwordsWith().verify('secret', hash), true);
  });

  it('verifies the right password only', async () => {
    const passwords = passwordsWith();
    const hash = await passwords.hash('secret');
    assert.equal(await passwords.verify('secret', hash), true);
    for (const wrong of ['', 'Secret', 'secret ', 'secret\0', hash]) assert.equal(await passwords.verify(wrong, hash), false, wrong);
  });

  it('has bounds', async () => {
    const passwords = passwordsWith();
    await assert.rejects(passwords.hash('x'.repeat(MAX_PASSWORD_BYTES + 1)), RangeError);
    const hash = await passwords.hash('x'.repeat(MAX_PASSWORD_BYTES));
    assert.equal(await passwords.verify('x'.repeat(MAX_PASSWORD_BYTES), hash), true);
    assert.equal(await passwords.verify('x'.repeat(MAX_PASSWORD_BYTES + 1), hash), false);
  });

  it('says no, after as much work, where there is no hash', async () => {
    const passwords = passwordsWith({ hashMemory: 32 * 2 ** 20, hashIterations: 3 });
    const hash = await passwords.hash('secret');
    for (const none of [null, '', 'secret', '$argon2id$v=19$', '$2b$10$abc'])
      assert.equal(await passwords.verify('', none), false, String(none));
    const time = (known: string | null) =>
      processorTime(async () => {
        for (let i = 0; i < 3; i++) await passwords.verify('wrong', known);
      });
    const withHash = await time(hash);
    const without = await time(null);
    assert.ok(without > withHash / 4, `${without} ms for an unknown account, ${withHash} ms for a known one`);
  });

  it('refuses when too many wait, and goes on afterwards', async () => {
    const passwords = passwordsWith({ concurrentHashes: 1 });
    const results = await Promise.allSettled(Array.from({ length: 103 }, () => passwords.hash('x')));
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 2);
    for (const { reason } of refused) assert.ok(reason instanceof BusyError);
    assert.equal(await passwords.verify('x', await passwords.hash('x')), true);
  });
});

describe('verified passwords', () => {
  it('are remembered for a minute', async () => {
    let time = 0;
    const passwords = passwordsWith({}, () => time);
    const hash = await passwords.hash('secret');
    assert.equal(passwords.isRemembered('secret', hash), false);
    await passwords.verify('wrong', hash);
    assert.equal(passwords.isRemembered('wrong', hash), false);
    await passwords.verify('secret', hash);
    time = 59_999;
    assert.equal(passwords.isRemembered('secret', hash), true);
    assert.equal(passwords.isRemembered('wrong', hash), false);
    time = 60_000;
    assert.equal(passwords.isRemembered('secret', hash), false);
  });

  it('are forgotten when the hash changes', async () => {
    const passwords = passwordsWith();
    const hash = await passwords.hash('secret');
    await passwords.verify('secret', hash);
    assert.equal(passwords.isRemembered('secret', hash), true);
    const changed = await passwords.hash('other');
    assert.equal(passwords.isRemembered('secret', changed), false);
    assert.equal(await passwords.verify('secret', changed), false);
    assert.equal(passwords.isRemembered('secret', null), false);
  });

  it('are not remembered when the settings say so', async () => {
    const passwords = passwordsWith({ rememberVerified: 0 });
    const hash = await passwords.hash('secret');
    await passwords.verify('secret', hash);
    assert.equal(passwords.isRemembered('secret', hash), false);
  });
});
