import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { generateKey } from 'openpgp';
import { testServer } from '../support/server.ts';
import { commit, merge, open } from './open.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const key = String(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
const signing = { key, format: 'ssh', name: 'The Server', email: 'server@example.com' } as const;
const t = await testServer({
  signing: { ...signing, initialCommit: ['always'], contents: ['pubkey'], merges: ['pubkey', 'commitssigned'] },
});
const [alice, bob] = await Promise.all([t.user('alice', { full_name: 'Alice Doe' }), t.user('bob')]);
const { publicKey } = await generateKey({ type: 'ecc', curve: 'ed25519Legacy', userIDs: [{ name: 'A', email: 'alice@example.com' }] });
await alice.must('POST', '/user/gpg_keys', { armored_public_key: publicKey });
const repo = '/repos/alice/demo';
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
await alice.must('PUT', `${repo}/collaborators/bob`, { permission: 'write' });

async function tip(branch = 'main') {
  const { json } = await alice.get(`${repo}/git/commits/${branch}`);
  return {
    verified: json.commit.verification.verified,
    committer: json.commit.committer.name,
    message: json.commit.message,
    sha: json.sha,
  };
}

describe('signed merges', () => {
  for (const style of ['merge', 'squash', 'rebase', 'rebase-merge']) {
    it(`are made by ${style} where every rule holds`, async () => {
      const number = await open(alice, 'alice/demo', `by-${style}`);
      await commit(alice, 'alice/demo', { path: `beside-${style}.txt`, text: 'x\n' });
      assert.equal((await merge(alice, 'alice/demo', number, { do: style })).status, 200);
      const { verified, committer } = await tip();
      assert.deepEqual([verified, committer], [true, 'Alice Doe']);
    });
  }

  it('have the server as committer where signatures count as the committer’s, and name the author in a squash', async () => {
    await alice.must('POST', '/user/repos', { name: 'trust', auto_init: true, default_branch: 'main', trust_model: 'committer' });
    const number = await open(alice, 'alice/trust', 'topic');
    assert.equal((await merge(alice, 'alice/trust', number, { do: 'squash' })).status, 200);
    const { json } = await alice.get('/repos/alice/trust/git/commits/main');
    const trailers = 'Co-authored-by: Alice Doe <alice@example.com>\nCo-committed-by: Alice Doe <alice@example.com>\n';
    assert.deepEqual(
      [json.commit.author.name, json.commit.committer.name, json.commit.verification.verified, json.commit.message],
      ['Alice Doe', 'The Server', true, `Take topic (#${number})\n\n${trailers}`],
    );
  });

  it('are not made with what is unsigned, nor for who has no key', async () => {
    const number = await open(bob, 'alice/demo', 'unsigned');
    assert.equal((await merge(alice, 'alice/demo', number)).status, 200);
    assert.equal((await tip()).verified, false);
  });

  it('alone come to a branch that wants signatures', async () => {
    await alice.must('POST', `${repo}/branches`, { new_branch_name: 'signed', old_branch_name: 'main' });
    await alice.must('POST', `${repo}/branch_protections`, { rule_name: 'signed', enable_push: true, require_signed_commits: true });
    const good = await open(alice, 'alice/demo', 'good', { base: 'signed' });
    const bad = await open(bob, 'alice/demo', 'bad', { base: 'signed' });
    const before = (await tip('signed')).sha;
    const refused = await merge(alice, 'alice/demo', bad, { do: 'squash' });
    assert.deepEqual([refused.status, refused.json.message], [405, 'wont sign: commitssigned']);
    assert.deepEqual((await merge(bob, 'alice/demo', good)).json.message, 'wont sign: pubkey');
    assert.equal((await tip('signed')).sha, before);
    assert.equal((await merge(alice, 'alice/demo', good)).status, 200);
    assert.equal((await tip('signed')).verified, true);
  });
});

describe('templates of messages', () => {
  it('give the last commit of a rebase another message, in its author’s name', async () => {
    const template = '@{CommitTitle} [@{PullRequestReference}]\n\n@{CommitBody}\n@{ReviewedBy}\n@{ClosingIssues}'.replaceAll('@', '$');
    await commit(alice, 'alice/demo', { path: '.gitea/default_merge_message/REBASE_TEMPLATE.md', text: template });
    const { number: issue } = await alice.must('POST', `${repo}/issues`, { title: 'Wish' });
    const number = await open(bob, 'alice/demo', 'amended', { body: `Closes #${issue}` });
    await alice.must('POST', `${repo}/pulls/${number}/reviews`, { event: 'APPROVED', body: 'Fine' });
    assert.equal((await merge(alice, 'alice/demo', number, { do: 'rebase' })).status, 200);
    const { json } = await alice.get(`${repo}/git/commits/main`);
    assert.deepEqual(
      [json.commit.message, json.commit.author.name, json.commit.committer.name],
      [`Write amended.txt [#${number}]\n\nReviewed-by: Alice Doe <alice@example.com>\n\nclose #${issue}\n`, 'bob', 'Alice Doe'],
    );
  });
});
