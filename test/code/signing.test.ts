import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { generateKey } from 'openpgp';
import { findRepositoryOf } from '../../src/access/find-repository.ts';
import { findUser } from '../../src/access/find-user.ts';
import { type ServerCommit, type SigningRule, signingRefusal } from '../../src/code/signing/signing-for.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const key = String(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
const t = await testServer({
  signing: {
    key,
    format: 'ssh',
    name: 'The Server',
    email: 'server@example.com',
    initialCommit: ['pubkey'],
    contents: ['pubkey', 'parentsigned'],
    merges: ['basesigned', 'commitssigned'],
  },
});
const [alice, bob] = await Promise.all([t.user('alice', { full_name: 'Alice Doe' }), t.user('bob')]);
const { publicKey } = await generateKey({ type: 'ecc', curve: 'ed25519Legacy', userIDs: [{ name: 'A', email: 'alice@example.com' }] });
await alice.must('POST', '/user/gpg_keys', { armored_public_key: publicKey });

const made = (client: Client, name: string, options: object = {}) =>
  client.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main', ...options });
const write = (client: Client, path: string, file: string, options: object = {}) =>
  client.post(`/repos/${path}/contents/${file}`, { content: 'eA==', message: `Write ${file}`, ...options });
/** The tip of a branch, as it is told. */
async function tip(path: string, branch = 'main') {
  const { json } = await t.anonymous.get(`/repos/${path}/git/commits/${branch}`);
  return { ...json.commit, verified: json.commit.verification.verified };
}

describe('changes of files through the API', () => {
  it('are signed with the server’s key where every rule holds', async () => {
    await made(alice, 'own');
    const { json } = await write(alice, 'alice/own', 'a.txt');
    const { verification } = json;
    assert.deepEqual([verification.verified, verification.reason.split(' / ')[0]], [true, 'The Server']);
    assert.match(verification.signature, /^-----BEGIN SSH SIGNATURE-----/);
    const { committer, message } = await tip('alice/own');
    assert.deepEqual([committer.name, message], ['Alice Doe', 'Write a.txt\n'], 'the person commits where collaborators’ keys count');
  });

  it('are not signed for who has no key, nor on top of what nobody has signed', async () => {
    await made(bob, 'own');
    await bob.must('PUT', '/repos/bob/own/collaborators/alice', { permission: 'write' });
    assert.equal((await tip('bob/own')).verified, false);
    assert.equal((await write(bob, 'bob/own', 'b.txt')).json.verification.verified, false);
    assert.equal((await write(alice, 'bob/own', 'a.txt')).json.verification.verified, false, 'its parent is unsigned');
  });

  it('have the server as committer where the signature counts as the committer’s, and name who stands behind it', async () => {
    await made(alice, 'trust', { trust_model: 'committer' });
    await write(alice, 'alice/trust', 'a.txt', { author: { name: 'Other', email: 'other@example.com' }, signoff: true });
    const plain = await tip('alice/trust');
    assert.deepEqual([plain.committer.name, plain.committer.email, plain.author.name], ['The Server', 'server@example.com', 'Other']);
    assert.equal(plain.message, 'Write a.txt\n\nSigned-off-by: The Server <server@example.com>', 'author and committer were one');
    const two = { author: { name: 'Other', email: 'other@example.com' }, committer: { name: 'Third', email: 'third@example.com' } };
    await write(alice, 'alice/trust', 'b.txt', two);
    const { message, verified } = await tip('alice/trust');
    const trailers = 'Co-authored-by: Third <third@example.com>\nCo-committed-by: Third <third@example.com>\n';
    assert.deepEqual([message, verified], [`Write b.txt\n\n${trailers}`, true]);
  });

  it('are signed when a patch makes them', async () => {
    const patch = 'diff --git a/p.txt b/p.txt\nnew file mode 100644\n--- /dev/null\n+++ b/p.txt\n@@ -0,0 +1 @@\n+p\n';
    const { status, json } = await alice.post('/repos/alice/own/diffpatch', { content: patch, message: 'Patch', branch: 'main' });
    assert.deepEqual([status, json.verification.verified], [201, true]);
  });

  it('reach a branch that wants signatures only if the server signs them', async () => {
    const rule = { rule_name: 'main', enable_push: true, require_signed_commits: true };
    for (const owner of [alice, bob]) await owner.must('POST', `/repos/${owner.name}/own/branch_protections`, rule);
    assert.equal((await write(alice, 'alice/own', 'protected.txt')).status, 201);
    const refused = await write(bob, 'bob/own', 'protected.txt');
    assert.deepEqual([refused.status, refused.json.message], [403, 'user cannot commit to repo [user: bob]']);
    const force = { branch: 'topic', new_branch: 'main', force_push: true };
    await bob.must('POST', '/repos/bob/own/branches', { new_branch_name: 'topic' });
    assert.equal((await write(bob, 'bob/own', 'forced.txt', force)).status, 403);
  });
});

describe('merges', () => {
  it('are signed when both sides are', async () => {
    await made(alice, 'source');
    const { path, ...fork } = { ...(await bob.must('POST', '/repos/alice/source/forks', {})), path: 'bob/source' };
    assert.equal(fork.fork, true);
    await bob.must('PUT', `/repos/${path}/collaborators/alice`, { permission: 'write' });
    await write(alice, 'alice/source', 'theirs.txt');
    await write(alice, path, 'ours.txt');
    assert.deepEqual((await bob.post(`/repos/${path}/merge-upstream`, { branch: 'main' })).json, { merge_type: 'merge' });
    assert.equal((await tip(path)).verified, true);
    await write(bob, 'alice/source', 'x.txt');
    await write(alice, 'alice/source', 'more.txt');
    await write(bob, path, 'unsigned.txt');
    assert.deepEqual((await bob.post(`/repos/${path}/merge-upstream`, { branch: 'main' })).json, { merge_type: 'merge' });
    assert.equal((await tip(path)).verified, false, 'the base is unsigned');
  });
});

describe('the rules about signing', () => {
  it('hold or do not, each for itself', async () => {
    const actor = await findUser(t.context.db, 'alice');
    const nobody = await findUser(t.context.db, 'bob');
    assert.ok(actor && nobody);
    const repository = await findRepositoryOf(t.context.db, nobody, 'own');
    assert.ok(repository);
    const folder = t.context.git.locate(repository);
    const unsigned = (await t.anonymous.get('/repos/bob/own/git/commits/main')).json.sha;
    const ask = (who: typeof actor, rules: SigningRule[], commit: ServerCommit) => {
      const signing = { ...t.context.settings.signing, contents: rules, wiki: rules, merges: rules } as never;
      return signingRefusal({ ...t.context, actor: who, settings: { ...t.context.settings, signing } }, folder, commit);
    };
    const contents: ServerCommit = { kind: 'contents', parent: unsigned };
    const merge = (approvals: number): ServerCommit => ({
      kind: 'merge',
      base: unsigned,
      head: unsigned,
      approvals: async () => approvals,
    });
    const expected: [SigningRule[], ServerCommit, typeof actor, string | undefined][] = [
      [[], contents, actor, 'never'],
      [['always'], contents, nobody, undefined],
      [['always', 'pubkey'], contents, nobody, undefined],
      [['always', 'never'], contents, actor, 'never'],
      [['pubkey', 'always'], contents, nobody, 'pubkey'],
      [['pubkey'], contents, actor, undefined],
      [['twofa'], contents, actor, 'twofa'],
      [['parentsigned'], contents, actor, 'parentsigned'],
      [['parentsigned'], { kind: 'wiki', parent: null }, actor, undefined],
      [['approved'], merge(0), actor, 'approved'],
      [['approved'], merge(1), actor, undefined],
      [['basesigned'], merge(0), actor, 'basesigned'],
      [['headsigned'], merge(0), actor, 'headsigned'],
      [['commitssigned'], merge(0), actor, 'commitssigned'],
    ];
    for (const [rules, commit, who, refusal] of expected) assert.equal(await ask(who, rules, commit), refusal, `${rules}`);
    assert.equal(
      await signingRefusal(
        { ...t.context, settings: { ...t.context.settings, signing: { ...t.context.settings.signing, key: null } } },
        folder,
        contents,
      ),
      'nokey',
    );
  });
});
