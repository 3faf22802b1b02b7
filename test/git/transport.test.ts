import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { customHooksOf, readCustomHook, removeCustomHook, writeCustomHook } from '../../src/git/custom-hooks.ts';
import type { FinishedPush, PendingPush } from '../../src/git/receive-pack.ts';
import { type GitRepository, OBJECT_FORMATS } from '../../src/git/repository.ts';
import { isSafeProtocol } from '../../src/git/service-process.ts';
import { advertiseRefs } from '../../src/git/upload-pack.ts';
import { eventually } from '../support/eventually.ts';
import { open, type PushRules, serveRepository } from './transport.ts';
import { client, commitFile, emptyRepository, git, requireSound, temporaryFolder, workTree } from './writing.ts';

let repository: GitRepository;
let rules: PushRules;
let remote: Awaited<ReturnType<typeof serveRepository>>;
let tree: string;

async function begin(objectFormat: 'sha1' | 'sha256' = 'sha1') {
  repository = await emptyRepository(objectFormat);
  rules = open();
  remote = await serveRepository(repository, rules);
  tree = workTree(remote.http, objectFormat);
}

function refs(): string[] {
  return git(repository, ['for-each-ref', '--format=%(refname)']).split('\n').filter(Boolean);
}

/** What a broken push could leave: quarantines and temporary files. */
function leftovers(): string[] {
  try {
    return readdirSync(repository.path, { recursive: true })
      .map(String)
      .filter((name) => /tmp_|\.lock$|incoming/.test(name));
  } catch (error) {
    // A folder went while it was read.
    return [String(error)];
  }
}

describe('transport', () => {
  for (const format of OBJECT_FORMATS)
    for (const way of ['http', 'git'] as const)
      for (const version of [0, 1, 2])
        it(`takes a push and serves a clone, ${format}, ${way}, version ${version}`, async () => {
          await begin(format);
          const protocol = ['-c', `protocol.version=${version}`];
          const pushed = await client(tree, [...protocol, 'push', remote[way], 'main']);
          assert.equal(pushed.code, 0, pushed.stderr);
          const copy = join(temporaryFolder(), 'copy');
          const cloned = await client(tree, [...protocol, 'clone', '-q', remote[way], copy]);
          assert.equal(cloned.code, 0, cloned.stderr);
          assert.equal(git(copy, ['rev-parse', 'HEAD']), git(tree, ['rev-parse', 'main']));
          requireSound(repository);
          assert.deepEqual(leftovers(), []);
        });

  it('serves partial and shallow clones', async () => {
    await begin();
    await client(tree, ['push', '-q', 'origin', 'main']);
    for (const options of [['--filter=blob:none', '--bare'], ['--depth=1']]) {
      const { code, stderr } = await client(tree, ['clone', '-q', ...options, remote.http, join(temporaryFolder(), 'copy')]);
      assert.deepEqual([code, stderr], [0, '']);
    }
  });

  it('advertises as the protocol asks, and leaves out what is no protocol', async () => {
    await begin();
    const [two, zero] = [
      await advertiseRefs(repository, 'upload-pack', 'version=2'),
      await advertiseRefs(repository, 'upload-pack', 'x=1\nLD_PRELOAD=y'),
    ];
    assert.match(two.toString(), /^001e# service=git-upload-pack\n0000000eversion 2\n/);
    assert.match(two.toString(), /object-format=sha1/);
    assert.equal(zero.toString(), '001e# service=git-upload-pack\n00000000');
    assert.deepEqual(['version=2', 'version=2:x=y', 'version=2;x', '', 'a=b\n'].map(isSafeProtocol), [true, true, false, false, false]);
  });
});

describe('hooks of a push', () => {
  beforeEach(() => begin());

  it('see the refs, the push options and, in quarantine, the objects', async () => {
    const pending: PendingPush[] = [];
    const finished: FinishedPush[] = [];
    const head = git(tree, ['rev-parse', 'main']);
    rules.preReceive = async (push) => {
      pending.push(push);
      assert.throws(() => git(repository, ['cat-file', '-e', head]), 'outside of the quarantine there is nothing');
      const { runGit } = await import('../../src/git/process.ts');
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

  it('refuse a push whose check fails, and tell the server why', async () => {
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

  it('are told only of refs that move: those of pull requests do not', async () => {
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

  it('are told of very many refs at once, and of deletions', async () => {
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

describe('hooks of a repository’s own', () => {
  beforeEach(() => begin());

  it('run after the server has agreed, if they are allowed, and cannot speak to it', async () => {
    const finished: FinishedPush[] = [];
    rules.postReceive = async (push) => {
      finished.push(push);
      return [];
    };
    await writeCustomHook(repository, 'pre-receive', '#!/bin/sh\r\necho "no pushes today, $PUSHER" >&2\r\ncat >&2\nexit 1\n');
    assert.equal((await client(tree, ['push', '-q', 'origin', 'main:before'])).code, 0);
    rules.customHooks = true;
    const { code, stderr } = await client(tree, ['push', 'origin', 'main']);
    assert.equal(code, 1);
    assert.match(stderr, /remote: no pushes today, alice *\nremote: 0{40} [0-9a-f]{40} refs\/heads\/main/);
    await writeCustomHook(repository, 'pre-receive', '#!/bin/sh\nif echo post-receive >&3; then exit 1; fi 2>/dev/null\n');
    await writeCustomHook(repository, 'update', '#!/bin/sh\ncase $1 in refs/heads/no*) exit 1;; esac\n');
    await writeCustomHook(repository, 'post-receive', '#!/bin/sh\necho told of >&2; cat >&2\n');
    const mixed = await client(tree, ['push', 'origin', 'main', 'main:nope']);
    assert.equal(mixed.code, 1);
    assert.match(mixed.stderr, /nope \(hook declined\)/);
    assert.match(mixed.stderr, /remote: told of *\nremote: .* refs\/heads\/main/);
    assert.deepEqual(
      finished.at(-1)?.commands.map(({ ref }) => ref),
      ['refs/heads/main'],
    );
    rules.preReceive = async () => ({ ok: false, lines: ['the server says no'] });
    assert.match((await client(tree, ['push', 'origin', 'main:later'])).stderr, /the server says no/);
  });

  it('are read, replaced and removed', async () => {
    assert.equal(await readCustomHook(repository, 'update'), undefined);
    await writeCustomHook(repository, 'update', 'a\r\n');
    await writeCustomHook(repository, 'update', 'b\r\nc');
    assert.equal(await readCustomHook(repository, 'update'), 'b\nc');
    assert.deepEqual(customHooksOf(repository), ['update']);
    await writeCustomHook(repository, 'update', ' \n');
    assert.equal(await removeCustomHook(repository, 'update'), false);
    assert.deepEqual(customHooksOf(repository), []);
  });
});

describe('pushes that go wrong', () => {
  beforeEach(() => begin());

  /** Sends a share of a real push by hand, and breaks off once `then` has come to pass. */
  async function sendPart(share: number, then: () => boolean): Promise<void> {
    const noise = commitFile(tree, 'noise', randomBytes(2_000_000));
    const pack = Buffer.from(git(tree, ['rev-list', '--objects', noise]));
    const { execFileSync } = await import('node:child_process');
    const bytes = execFileSync('git', ['pack-objects', '--stdout', '-q'], {
      cwd: tree,
      input: pack.toString().replace(/ .*$/gm, ''),
      maxBuffer: 1 << 28,
    });
    const command = `${'0'.repeat(40)} ${noise} refs/heads/main\0report-status`;
    const head = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
    const socket = connect(remote.port, '127.0.0.1');
    const length = head.length + bytes.length;
    socket.write(`POST /repository.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${head}`);
    socket.write(bytes.subarray(0, Math.floor(bytes.length * share)));
    await eventually(then);
    socket.destroy();
  }

  it('leave nothing when the client breaks off within the pack', async () => {
    await sendPart(0.5, () => leftovers().length > 0);
    await eventually(() => leftovers().length === 0);
    assert.deepEqual(refs(), []);
    requireSound(repository);
  });

  it('are pushes all the same when the client leaves after the pack', async () => {
    let finished = false;
    let asked = false;
    rules.preReceive = async () => {
      asked = true;
      await sleep(100);
      return { ok: true, lines: ['a line that nobody reads'] };
    };
    rules.postReceive = async () => {
      finished = true;
      return ['another'];
    };
    await sendPart(1, () => asked);
    await eventually(() => finished);
    assert.deepEqual(refs(), ['refs/heads/main']);
    requireSound(repository);
  });

  it('are stopped at their deadline, and leave nothing', async () => {
    rules.timeoutMs = 300;
    rules.preReceive = () => new Promise(() => {});
    assert.notEqual((await client(tree, ['push', 'origin', 'main'])).code, 0);
    await eventually(() => leftovers().length === 0);
    assert.deepEqual(refs(), []);
  });

  it('are refused when the pack is too large', async () => {
    rules.maxPackBytes = 100_000;
    commitFile(tree, 'noise', randomBytes(300_000));
    const { code, stderr } = await client(tree, ['push', 'origin', 'main']);
    assert.equal(code, 1);
    assert.match(stderr, /exceeds maximum allowed size/);
    assert.deepEqual([refs(), leftovers()], [[], []]);
  });

  const broken: [string, Buffer][] = [
    ['no packets', Buffer.from('hello world')],
    ['no command', Buffer.from('000ahello\n0000')],
    ['a line end in a ref', packetOf(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/a\nb\0report-status`)],
    ['a signed push, which was not offered', packetOf('push-cert\0report-status')],
    [
      'a line end in an option',
      Buffer.concat([packetOf(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/a\0push-options`), packetOf('a\nb')]),
    ],
    ['an end within the commands', Buffer.from('00a0')],
  ];
  for (const [what, bytes] of broken)
    it(`are refused without starting git: ${what}`, async () => {
      const response = await fetch(`${remote.http}/git-receive-pack`, { method: 'POST', body: new Uint8Array(bytes) });
      assert.equal(response.status, 400);
      assert.deepEqual(refs(), []);
    });

  it('may be no more than a try of the sign-in', async () => {
    const response = await fetch(`${remote.http}/git-receive-pack`, { method: 'POST', body: '0000' });
    assert.deepEqual([response.status, await response.text()], [200, '']);
  });

  it('are refused for objects that would harm others', async () => {
    const blob = git(tree, ['hash-object', '-w', '--stdin'], 'x');
    const dotgit = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]);
    const bad = git(tree, ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], dotgit);
    git(tree, ['update-ref', 'refs/heads/bad', git(tree, ['commit-tree', '-m', 'x', bad])]);
    assert.equal((await client(tree, ['push', 'origin', 'bad'])).code, 1);
    assert.deepEqual(refs(), []);
  });
});

describe('pushes at once', () => {
  before(() => begin());

  it('go through on branches of their own; of those for one branch, one does', async () => {
    await client(tree, ['push', '-q', 'origin', 'main']);
    const trees = Array.from({ length: 6 }, (_, number) => {
      const folder = join(temporaryFolder(), 'copy');
      git(tree, ['clone', '-q', tree, folder]);
      commitFile(folder, `file-${number}`, `${number}\n`);
      return folder;
    });
    const own = await Promise.all(trees.map((folder, number) => client(folder, ['push', '-q', remote.http, `HEAD:own-${number}`])));
    assert.deepEqual(
      own.map(({ code }) => code),
      [0, 0, 0, 0, 0, 0],
    );
    const same = await Promise.all(trees.map((folder) => client(folder, ['push', '-q', remote.http, 'HEAD:main'])));
    const winner = same.findIndex(({ code }) => code === 0);
    assert.equal(same.filter(({ code }) => code === 0).length, 1);
    assert.equal(git(repository, ['rev-parse', 'main']), git(trees[winner] ?? '', ['rev-parse', 'HEAD']));
    assert.deepEqual(leftovers(), []);
    requireSound(repository);
  });
});

function packetOf(text: string): Buffer {
  return Buffer.from(`${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}0000`);
}
