import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { leftoversOf, refsOf, type Served, serve } from '../served.ts';
import { client, commitFile, git, requireSound } from '../writing.ts';

let repository: Served['repository'];
let rules: Served['rules'];
let remote: Served['remote'];
let tree: string;

async function begin() {
  ({ repository, rules, remote, tree } = await serve());
}

const refs = () => refsOf(repository);
const leftovers = () => leftoversOf(repository);

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

function packetOf(text: string): Buffer {
  return Buffer.from(`${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}0000`);
}
