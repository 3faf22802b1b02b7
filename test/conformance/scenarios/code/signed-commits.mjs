// The verification of commits that OpenPGP keys have signed: whose key, and which address.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pgpKey } from '../users/_keys.mjs';

const DATE = '1704164645 +0000';

export default async function (t) {
  const [alice, bob] = [await t.user('alice'), await t.user('bob')];
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  const mine = `${alice.name}@example.com`;
  const own = pgpKey(t, [`Alice <${mine}>`], { label: 'own' });
  const rsa = pgpKey(t, [`Alice <${mine}>`], { label: 'rsa', rsa: true });
  const foreign = pgpKey(t, ['Alice <alice@elsewhere.example>'], { label: 'foreign' });
  const unknown = pgpKey(t, [`Alice <${mine}>`], { label: 'unknown' });
  const { json: added } = await alice.post('/user/gpg_keys', { armored_public_key: own.armored }, { body: ({ verified, can_sign }) => ({ verified, can_sign }) });
  await alice.must('POST', '/user/gpg_keys', { armored_public_key: rsa.armored });
  const token = (await alice.send('GET', '/user/gpg_key_token')).text;
  await alice.must('POST', '/user/gpg_keys', { armored_public_key: foreign.armored, armored_signature: foreign.sign(token) });

  const folder = await alice.clone(`${alice.name}/demo`);
  const git = async (...args) => (await alice.git(args, folder)).stdout.trim();
  const tree = await git('rev-parse', 'HEAD^{tree}');
  const parent = await git('rev-parse', 'HEAD');
  const object = async (type, text) => {
    const file = join(folder, `${type}.txt`);
    await writeFile(file, text);
    return await git('hash-object', '-t', type, '-w', file);
  };
  /** A commit on top of the first one; `change` alters it after it has been signed. */
  const commit = (name, key, email = mine, change = (text) => text) => {
    const head = `tree ${tree}\nparent ${parent}\nauthor A <${email}> ${DATE}\ncommitter A <${email}> ${DATE}\n`;
    const signature = key && `gpgsig ${key.sign(`${head}\n${name}\n`).trim().replace(/\n/g, '\n ')}\n`;
    return object('commit', change(`${head}${signature ?? ''}\n${name}\n`));
  };
  const shas = {
    unsigned: await commit('unsigned'),
    own: await commit('own', own),
    rsa: await commit('rsa', rsa),
    'of bob': await commit('of bob', own, `${bob.name}@example.com`),
    'of nobody': await commit('of nobody', own, 'nobody@elsewhere.example'),
    foreign: await commit('foreign', foreign, 'alice@elsewhere.example'),
    'foreign key': await commit('foreign key', foreign),
    unknown: await commit('unknown', unknown),
    changed: await commit('changed', own, mine, (text) => text.replace('\nchanged\n', '\nchanged later\n')),
  };
  for (const [at, sha] of Object.values(shas).entries()) await git('push', '-q', 'origin', `${sha}:refs/heads/b${at}`);
  const verification = { body: ({ author, commit: { verification: { signature, ...rest } } }) => ({ ...rest, signed: signature !== '', author: author?.login }) };
  const look = async (when) => { for (const [name, sha] of Object.entries(shas)) await bob.get(`${repo}/git/commits/${sha}`, { ...verification, label: `${when}: ${name}` }); };
  await look('with the keys');
  await alice.delete(`/user/gpg_keys/${added.id}`);
  await look('without a key');
}
