// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchingStep, sharedSecret } from '../../src/accounts/two-factor/totp.ts';

/** The secret of RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  it('are those of RFC 6238', () => {
    for (const [seconds, code] of [
      [59, '287082'],
      [1111111109, '081804'],
      [1111111111, '050471'],
      [1234567890, '005924'],
      [2000000000, '279037'],
      [20000000000, '353130'],
    ] as const) {
      const step = Math.floor(seconds / 30);
      assert.equal(matchingStep(SECRET, code, seconds, 0), step);
      assert.equal(matchingStep(SECRET, code, seconds - 30, 0), step, 'of a clock that is behind');
      assert.equal(matchingStep(SECRET, code, seconds + 30, 0), step, 'of a clock that is ahead');
      assert.equal(matchingStep(SECRET, code, seconds + 90, 0), undefined);
      assert.equal(matchingStep(SECRET, code, seconds, step), undefined, 'used already');
    }
  });

  it('are six digits', () => {
    for (const code of ['', '87082', '0287082', '２８７０８２', '28708x', ' 287082', '287082\n', '\ud800'.repeat(6)]) {
      assert.equal(matchingStep(SECRET, code, 59, 0), undefined, JSON.stringify(code));
    }
  });

  it('have a secret that apps can take', () => {
    const { text, uri } = sharedSecret(SECRET, 'Our: code & more', 'alice');
    assert.equal(text, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    const url = new URL(uri);
    assert.equal(`${url.protocol}//${url.host}`, 'otpauth://totp');
    assert.deepEqual([url.searchParams.get('issuer'), url.searchParams.get('secret')], ['Our: code & more', text]);
    assert.match(uri, /^otpauth:\/\/totp\/Our%3A%20code%20%26%20more:alice\?/);
  });
});
