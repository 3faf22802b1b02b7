// On SQLite alone: what this asks of the database is asked of both by access.test.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readPrincipals } from '../../src/ssh/identity.ts';
import { codeRepository } from '../code/repository.ts';
import { afterwards } from '../support/afterwards.ts';
import { onEachServer, SERVERS, withoutClient } from './ssh.ts';

const folder = mkdtempSync(join(tmpdir(), 'copse-ca-'));
afterwards(() => rm(folder, { recursive: true, force: true }));

/** The file of a new authority's private key. */
function authority(name: string): string {
  const path = join(folder, name);
  if (!withoutClient) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
  return path;
}

function sign(ca: string, key: string, principals: string, ...options: string[]): void {
  execFileSync('ssh-keygen', ['-q', '-s', ca, '-I', 'id', '-n', principals, ...options, `${key}.pub`]);
}

const [trusted, other] = [authority('trusted'), authority('other')];
const trustedUserCaKeys = withoutClient ? null : readFileSync(`${trusted}.pub`, 'utf8').trim();
const runs = await onEachServer(
  { ssh: { trustedUserCaKeys } },
  async ({ t, client }) => {
    const alice = await t.user('alice');
    await codeRepository(t, alice, 'secret', [{ label: 'one', files: { 'a.txt': 'a\n' } }], { private: true });
    return { t, alice, client };
  },
  SERVERS.slice(1),
);

for (const { name, skip, prepared } of runs) {
  describe(`certificates on ${name}`, { skip }, () => {
    const { t, client } = prepared();

    it('sign their principals in, as long as an authority of the settings vouches for them', async () => {
      const alices = client('alice');
      sign(trusted, alices.key, 'nobody,alice');
      assert.equal(
        (await alices.run()).stderr,
        "Hi there, alice! You've successfully authenticated with a certificate, but Copse does not provide shell access.\n",
      );
      assert.match((await alices.run("git-upload-pack 'alice/secret'")).stdout, /refs\/heads\/main/);
      sign(other, alices.key, 'alice');
      assert.equal((await alices.run()).code, 255, 'another authority');
      sign(trusted, alices.key, 'somebody');
      assert.equal((await alices.run()).code, 255, 'a principal that is not a user');
      sign(trusted, alices.key, userInfo().username);
      assert.equal((await alices.run()).code, 255, 'the user of the process, who is none of the instance');
      sign(trusted, alices.key, 'alice', '-V', '20200101:20200102');
      assert.equal((await alices.run()).code, 255, 'a certificate of long ago');
      sign(trusted, alices.key, 'alice');
      await t.context.db.updateTable('users').set({ prohibit_login: true }).where('name', '=', 'alice').execute();
      assert.match((await alices.run()).stderr, /Your account is disabled/);
    });
  });
}

describe('the principals of a certificate', { skip: withoutClient }, () => {
  for (const [type, bits] of [
    ['ed25519', '256'],
    ['rsa', '2048'],
    ['ecdsa', '384'],
  ] as const) {
    it(`are read with a key of the type ${type}`, () => {
      const key = join(folder, `key-${type}`);
      execFileSync('ssh-keygen', ['-q', '-t', type, '-b', bits, '-N', '', '-f', key]);
      sign(trusted, key, 'one,two', '-z', '5');
      const [, base64 = ''] = readFileSync(`${key}-cert.pub`, 'utf8').split(' ');
      assert.deepEqual(readPrincipals(Buffer.from(base64, 'base64')), ['one', 'two']);
      for (let length = 0; length < 400; length += 7) readPrincipals(Buffer.from(base64, 'base64').subarray(0, length));
    });
  }
});
