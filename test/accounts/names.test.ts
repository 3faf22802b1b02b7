import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkAccountName, emailFault, isEmailDomainAllowed } from '../../src/accounts/names.ts';
import { testSettings } from '../support/settings.ts';

const settings = testSettings({ users: { reservedNames: ['Boss'] } });

describe('account names', () => {
  it('may have letters, digits and single marks between them', () => {
    for (const name of ['a', '0', 'Alice', 'a-b_c.d', 'x'.repeat(40)]) checkAccountName(settings, name);
  });

  it('may be nothing that looks like another, like an address or like an option', () => {
    const bad = ['', '-a', '_a', '.a', 'a-', 'a.', 'a--b', 'a._b', 'a b', 'a/b', 'a\n', 'ä', 'а', 'x'.repeat(41), '..', 'a\0'];
    for (const name of bad) assert.throws(() => checkAccountName(settings, name), /name is (invalid|reserved)/, JSON.stringify(name));
  });

  it('may not be what the instance itself uses or reserves', () => {
    for (const name of ['api', 'USER', 'ghost', 'boss']) assert.throws(() => checkAccountName(settings, name), /name is reserved/);
    for (const name of ['a.keys', 'A.PNG']) assert.throws(() => checkAccountName(settings, name), /name pattern is not allowed/);
  });
});

describe('e-mail addresses', () => {
  it('are taken in the usual forms', () => {
    for (const email of ['a@b', 'Mixed.Case+tag@example.com', "o'brien@x-y.example"]) assert.equal(emailFault(email), undefined, email);
  });

  it('are refused where a mail program could read something else', () => {
    const bad = [
      '',
      'nobody',
      '-a@b.c',
      '.a@b.c',
      'a..b@c.d',
      'a.@b.c',
      '@b.c',
      'a@-b.c',
      'a@b..c',
      'a b@c.d',
      'A <a@b.c>',
      'a@b.c\n',
      'ä@b.c',
    ];
    for (const email of [...bad, `${'a'.repeat(251)}@b.c`]) assert.ok(emailFault(email), JSON.stringify(email));
  });

  it('are held against the lists of domains, the allowed ones first', () => {
    const allow = testSettings({
      registration: { allowedEmailDomains: ['*.example.com', 'corp.*.org'], blockedEmailDomains: ['a.example.com'] },
    });
    assert.ok(isEmailDomainAllowed(allow, 'x@a.example.com'));
    assert.ok(isEmailDomainAllowed(allow, 'x@CORP.eu.org'));
    for (const email of ['x@example.com', 'x@corp.org', 'x@evil.com']) assert.ok(!isEmailDomainAllowed(allow, email), email);
    const block = testSettings({ registration: { blockedEmailDomains: ['spam.*'] } });
    assert.ok(!isEmailDomainAllowed(block, 'x@spam.net'));
    assert.ok(isEmailDomainAllowed(block, 'x@nospam.net'));
  });
});
