// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importedHash } from '../../src/accounts/imported-passwords.ts';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { secretsFromKey } from '../../src/secrets.ts';
import { testSettings } from '../support/settings.ts';

const passwords = createPasswords(testSettings().passwords, secretsFromKey(new Uint8Array(32)));

/** What Gitea 1.26 made of `pässword-` and the name: the algorithm, the salt and the digest. */
const HASHES: Readonly<Record<string, readonly [algorithm: string, salt: string, digest: string]>> = {
  pbkdf2: [
    'pbkdf2$50000$50',
    '35c314d5abbc32342cf12ad37eae644d',
    '34e31127e50e13abb4ecf8c213ba2e9fad68af5d5067de1e4a449d958a01787e69883c36639e2423f059b2a19e4152dd751e',
  ],
  pbkdf2hi: [
    'pbkdf2$320000$50',
    'edb2b52b223dc10cfd60f4a57e943a34',
    '6b12f37b6d80e9fa0030d556cfb1f73f59c043987fe99dc5a5335aaa93007fe97c5c880c6b7185b81faee58a3d32080c3b14',
  ],
  pbkdf21000050: [
    'pbkdf2',
    '4808a266b2134dcec0ab0cee1dae7031',
    '71c28f645987ce01d1f09742b280d81289762e7c27a8c10dd938daabdb5597d2d1b358e8e8f1f1f9e095f8506b0a5122ec15',
  ],
  argon2: [
    'argon2$2$65536$8$50',
    '91e81209ce96c24151925f6fed31e985',
    '543e5d1d13d6838c25b17c21a9e5d8963361ef4b95064bdebe11caad7a6d56e8fecf2e745f9f768af74cc59c6c7ca7715ed2',
  ],
  scrypt: [
    'scrypt$65536$16$2$50',
    '7f64c1ac77dd3d604ecc88dd7c11fdcf',
    'daa9609e5512a4dbfa1c7304b7479ed9d79ff026628d716e03fae86bb3b3aa37ff1f8b7bed051334433c479a54ad67160a7e',
  ],
  bcrypt: ['bcrypt$10', '42c0e4ebff0516740ec7c61a6edb96b5', '$2a$10$2Qs.bVIUAo2WZwlCNewDwOGgZVE7FILee83o4RMxYiyg6LMXbkglK'],
};

describe('imported hashes', () => {
  for (const [name, [algorithm, salt, digest]] of Object.entries(HASHES)) {
    it(`of ${name} let the right password in, and are renewed`, async () => {
      const hash = importedHash(algorithm, salt, digest) ?? '';
      assert.equal(await passwords.verify(`pässword-${name}`, hash), true);
      assert.equal(await passwords.verify(`password-${name}`, hash), false);
      assert.equal(passwords.needsRehash(hash), true);
    });
  }

  it('are refused where a check would take too much, or cannot be made', () => {
    const [, salt, digest] = HASHES.pbkdf2 ?? ['', '', ''];
    for (const algorithm of [
      'pbkdf2$90000000$50',
      'pbkdf2$50000$20',
      'pbkdf2$x$50',
      'pbkdf2$50000',
      'argon2$2$4000000$8$50',
      'argon2$900$65536$8$50',
      'scrypt$1048576$64$2$50',
      'scrypt$65535$16$2$50',
      'md5',
      'toString',
    ])
      assert.equal(importedHash(algorithm, salt, digest), undefined, algorithm);
    for (const text of ['', 'zz', 'ab', `${salt}$`]) assert.equal(importedHash('pbkdf2$50000$50', text, digest), undefined, text);
    for (const text of ['', 'x', `${digest}00`, `$${digest}`]) assert.equal(importedHash('pbkdf2$50000$50', salt, text), undefined, text);
    assert.equal(importedHash('bcrypt', salt, '$2a$31$2Qs.bVIUAo2WZwlCNewDwOGgZVE7FILee83o4RMxYiyg6LMXbkglK'), undefined);
  });
});
