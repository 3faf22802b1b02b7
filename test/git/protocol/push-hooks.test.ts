import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import type { FinishedPush, PendingPush } from '../../../src/git/protocol/receive-pack.ts';
import { eventually } from '../../support/eventually.ts';
import { leftoversOf, refsOf, type Served, serve } from '../served.ts';
import { client, commitFile, git } from '../writing.ts';

let repository: Served['repository'];
let rules: Served['rules'];
let remote: Served['remote'];
let tree: string;

async function begin() {
  ({ repository, rules, remote, tree } = await serve());
}

const refs = () => refsOf(repository);
const leftovers = () => leftoversOf(repository);

describe('hooks of a push', () => {
  beforeEach(() => begin());

  it('see the refs, the push options and, in quarantine, the objects', async () => {
    const pending: PendingPush[] = [];
    const finished: FinishedPush[] = [];
    const head = git(tree, ['rev-parse', 'main']);
    rules.preReceive = async (push) => {
      pending.push(push);
      assert.throws(() => git(repository, ['cat-file', '-e', head]), 'outside of the quarantine there is nothing');
      const { runGit } = await import('../../../src/git/processes/process.ts');
      const { stdout } = await runGit(['log', '--format=%s', head], { cwd: repository.path, env: push.quarantine });
      return { ok: true, lines: [`checked ${stdout.toString().trim()}`] };
    };
    rules.postReceive = async (push) => {
      finished.push(push);
      return ['', 'Create a new pull request:', ''];
    };
    const { code, stderr } = await client(tree, ['push', '-o', 'topic=a b', '-o', 'x', 'origin', 'main', 'main:refs/tags/v1']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /remote: checked Add README\.md/);
    assert.match(stderr, /remote: Create a new pull request:/);
    const zero = '0'.repeat(40);
    const commands = [
      { before: zero, after: head, ref: 'refs/heads/main' },
      { before: zero, after: head, ref: 'refs/tags/v1' },
    ];
    assert.deepEqual(finished, [{ commands, options: ['topic=a b', 'x'] }]);
    assert.deepEqual([pending[0]?.commands, pending[0]?.options], [commands, ['topic=a b', 'x']]);
  });

  it('refuse a push, which then leaves nothing', async () => {
    let told = false;
    rules.preReceive = async () => ({ ok: false, lines: ['error: Not allowed to push to protected branch main\u001b[31m', 'ok'] });
    rules.postReceive = async () => {
      told = true;
      return [];
    };
    const { code, stderr } = await client(tree, ['push', 'origin', 'main']);
    assert.equal(code, 1);
    assert.match(stderr, /remote: error: Not allowed to push to protected branch main\[31m *\nremote: ok/);
    assert.match(stderr, /! \[remote rejected\] main -> main \(pre-receive hook declined\)/);
    assert.deepEqual([refs(), leftovers(), told], [[], [], false]);
    assert.equal(git(repository, ['count-objects']), '0 objects, 0 kilobytes');
  });

  it('refuse a push whose check fails, and report why to the server', async () => {
    rules.preReceive = async () => {
      throw new Error('database is gone');
    };
    const { code, stderr } = await client(tree, ['push', 'origin', 'main']);
    assert.equal(code, 1);
    assert.match(stderr, /remote: error: internal error/);
    assert.doesNotMatch(stderr, /database/);
    await eventually(() => rules.error !== undefined);
    assert.match(String(rules.error), /database is gone/);
    assert.deepEqual(refs(), []);
  });

  it('get only the refs that move: those of pull requests do not', async () => {
    const finished: FinishedPush[] = [];
    rules.postReceive = async (push) => {
      finished.push(push);
      return [];
    };
    const asked: string[] = [];
    rules.preReceive = async ({ commands }) => {
      asked.push(...commands.map(({ ref }) => ref));
      return { ok: true, lines: [] };
    };
    const { code, stderr } = await client(tree, ['push', remote.http, 'main', 'main:refs/pull/1/head']);
    assert.equal(code, 1);
    assert.match(stderr, /remote: error: hook declined to update refs\/pull\/1\/head/);
    assert.match((await client(tree, ['push', remote.git, 'main:refs/pull/1/head'])).stderr, /deny updating a hidden ref/);
    assert.deepEqual(asked, ['refs/heads/main']);
    assert.deepEqual(
      finished[0]?.commands.map(({ ref }) => ref),
      ['refs/heads/main'],
    );
    assert.deepEqual(refs(), ['refs/heads/main']);
  });

  it('get very many refs at once, and deletions', async () => {
    for (let number = 0; number < 300; number++) git(tree, ['update-ref', `refs/tags/t${number}`, 'main']);
    let count = 0;
    rules.postReceive = async ({ commands }) => {
      count += commands.length;
      return [];
    };
    assert.equal((await client(tree, ['push', '-q', 'origin', 'main', '--tags'])).code, 0);
    assert.equal(count, 301);
    assert.equal((await client(tree, ['push', '-q', 'origin', ':refs/tags/t1'])).code, 0);
    assert.deepEqual([count, refs().length], [302, 300]);
  });
});

it('the check that nothing is missing does not list the refs of the repository by another git', async () => {
  await begin();
  const listed = join(repository.path, 'listed');
  git(repository, ['config', 'core.alternateRefsCommand', `touch ${listed}; true`]);
  assert.equal((await client(tree, ['push', '-q', 'origin', 'main'])).code, 0);
  commitFile(tree, 'more.txt', 'more');
  assert.equal((await client(tree, ['push', '-q', 'origin', 'main'])).code, 0);
  assert.equal(existsSync(listed), false);
});

describe('refs that are handed over', () => {
  beforeEach(() => begin());

  for (const way of ['http', 'git'] as const)
    it(`are moved by the server, which tells where, ${way}`, async () => {
      const told: string[] = [];
      const zero = '0'.repeat(40);
      rules.procReceive = async ({ commands, options }) => {
        told.push(...options);
        return commands.map(({ ref, after }) => {
          if (ref.endsWith('/closed')) return { ref, refused: 'the branch\nis closed' };
          git(repository, ['update-ref', 'refs/pull/1/head', after]);
          return { ref, moved: { ref: 'refs/pull/1/head', before: zero, after } };
        });
      };
      rules.postReceive = async ({ commands }) => commands.map(({ ref }) => `moved ${ref}`);
      const pushed = await client(tree, ['push', '-o', 'topic=x', remote[way], 'main', 'main:refs/for/main', 'main:refs/for/closed']);
      assert.equal(pushed.code, 1);
      assert.match(pushed.stderr, /\* \[new reference\] +main -> refs\/pull\/1\/head/);
      assert.match(pushed.stderr, /\[remote rejected\] main -> refs\/for\/closed \(the branch is closed\)/);
      assert.match(pushed.stderr, /remote: moved refs\/heads\/main/);
      assert.match(pushed.stderr, /remote: moved refs\/pull\/1\/head/);
      assert.deepEqual([told, refs()], [['topic=x'], ['refs/heads/main', 'refs/pull/1/head']]);
    });

  it('are refused when the server fails, and are plain refs without it', async () => {
    rules.procReceive = async () => {
      throw new Error('database is gone');
    };
    const { code, stderr } = await client(tree, ['push', 'origin', 'main:refs/for/main']);
    assert.equal(code, 1);
    assert.match(stderr, /\(internal error\)/);
    assert.deepEqual(refs(), []);
    delete rules.procReceive;
    assert.equal((await client(tree, ['push', '-q', 'origin', 'main:refs/for/main'])).code, 0);
    assert.deepEqual(refs(), ['refs/for/main']);
  });
});
