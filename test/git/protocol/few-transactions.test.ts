import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { withFewTransactions } from '../../../src/git/protocol/few-transactions.ts';
import { FLUSH_PACKET, packet } from '../../../src/git/protocol/pkt-line.ts';
import { readPushHead } from '../../../src/git/protocol/push-commands.ts';
import { refsOf, type Served, serve } from '../served.ts';
import { client, commitFile, git } from '../writing.ts';

const [ID, NONE] = ['1'.repeat(40), '0'.repeat(40)];

/** The head of a push with these commands, and what follows it. */
async function headOf(commands: readonly string[], capabilities: string) {
  const lines = commands.map((command, index) => packet(index === 0 ? `${command}\0${capabilities}\n` : `${command}\n`));
  const bytes = Buffer.concat([packet(`shallow ${ID}\n`), ...lines, FLUSH_PACKET, Buffer.from('PACK…')]);
  async function* pieces() {
    yield bytes;
  }
  return await readPushHead(pieces(), 'sha1');
}

const deletions = (count: number) => Array.from({ length: count }, (_, i) => `${ID} ${NONE} refs/heads/b${i}`);

describe('the head of a push that deletes many refs', () => {
  it('asks for one transaction', async () => {
    const head = await headOf(deletions(101), 'report-status agent=git');
    const changed = withFewTransactions(head);
    const expected = head.bytes.toString().replace(/00..(.*)report-status agent=git\n/, (_, command) => {
      const line = packet(`${command}report-status agent=git atomic\n`).toString();
      return line;
    });
    assert.equal(changed.toString(), expected);
  });

  it('stays as it is where that is no help', async () => {
    for (const [commands, capabilities] of [
      [deletions(100), 'report-status'],
      [deletions(101), 'report-status atomic agent=git'],
      [deletions(101), 'atomic'],
      [[...deletions(101), `${NONE} ${ID} refs/for/main`], 'report-status'],
      [Array.from({ length: 200 }, (_, i) => `${NONE} ${ID} refs/heads/b${i}`), 'report-status'],
    ] as const) {
      const head = await headOf(commands, capabilities);
      assert.equal(withFewTransactions(head), head.bytes);
    }
  });
});

describe('a push that deletes many refs', () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve();
  });

  it('deletes them, and moves others', async () => {
    const { remote, repository, tree } = served;
    const tip = commitFile(tree, 'a', 'text');
    const names = Array.from({ length: 150 }, (_, i) => `refs/heads/b${i}`);
    assert.equal((await client(tree, ['push', '-q', remote.http, ...names.map((name) => `${tip}:${name}`)])).code, 0);
    git(repository.path, ['pack-refs', '--all']);
    const { code, stderr } = await client(tree, ['push', remote.http, `${tip}:refs/heads/main`, ...names.map((name) => `:${name}`)]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(refsOf(repository), ['refs/heads/main']);
  });
});
