import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  type BatchProcess,
  BatchProcessEndedError,
  failWaiting,
  type OutputParser,
  type Waiting,
} from '../../../src/git/processes/batch-process.ts';
import { GitLimitError } from '../../../src/git/processes/process.ts';
import { type ProcessKind, ProcessPool } from '../../../src/git/processes/process-pool.ts';
import { eventually } from '../../support/eventually.ts';
import { createFixture } from '../fixture.ts';

/** Asks for lines, and gets one line for each. */
class Lines implements OutputParser {
  process: BatchProcess | undefined;
  readonly requests: (Waiting & { resolve(line: string): void })[] = [];
  request(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.requests.push({ resolve, reject });
      this.process?.send(`${line}\n`);
    });
  }
  feed(chunk: Buffer): number {
    const lines = chunk.toString().trimEnd().split('\n');
    for (const line of lines) this.requests.shift()?.resolve(line);
    return lines.length;
  }
  fail(error: Error): void {
    failWaiting(this.requests.splice(0), error);
  }
}

const kind = (more: Partial<ProcessKind<Lines>> = {}): ProcessKind<Lines> => ({
  name: 'lines',
  args: ['cat-file', '--batch-command', '--buffer'],
  flush: 'flush\n',
  parser: () => new Lines(),
  ...more,
});

/** The id of its process, which comes a moment after its start, and may come after its first response. */
async function pidOf({ process }: Lines): Promise<number> {
  assert.ok(process);
  await eventually(() => process.pid > 0);
  return process.pid;
}

/** Kills its process, and does not wait for the end of that. */
async function killed(lines: Lines): Promise<void> {
  await pidOf(lines);
  void lines.process?.kill();
}

describe('pool of git processes', () => {
  it('tries a new process once if one is killed during a request', async () => {
    await using fixture = await createFixture([{ files: { a: '1' } }]);
    const pool = new ProcessPool(2, 10_000);
    let requested = 0;
    const response = await pool.request(kind(), fixture.repository, async (lines) => {
      if (requested++ === 0) await killed(lines);
      return lines.request('info HEAD');
    });
    assert.match(response, / commit \d+$/);
    assert.equal(requested, 2);
    const always = pool.request(kind(), fixture.repository, async (lines) => {
      requested++;
      await killed(lines);
      return lines.request('info HEAD');
    });
    await assert.rejects(always, BatchProcessEndedError);
    assert.equal(requested, 4);
    await pool.close();
    assert.equal(pool.size, 0);
  });

  it('answers what was asked before its processes are retired, and holds no deleted pack afterwards', async () => {
    await using fixture = await createFixture([{ files: { a: '1', b: '2' } }, { files: { a: '3' } }]);
    const { path } = fixture.repository;
    const git = (...args: string[]) => promisify(execFile)('git', ['-C', path, ...args]);
    await git('repack', '-adq');
    const pool = new ProcessPool(2, 10_000);
    const pids = new Set<number>();
    const deleted = () =>
      [...pids].flatMap((pid) =>
        existsSync(`/proc/${pid}/maps`) ? (readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\.pack \(deleted\)/g) ?? []) : [],
      );
    const ask = (name: string) =>
      pool.request(kind(), fixture.repository, async (lines) => {
        const response = await lines.request(`info ${name}`);
        pids.add(await pidOf(lines));
        return response;
      });
    await ask('HEAD:a');
    await git('-c', 'pack.window=0', 'repack', '-adFq', '--depth=0');
    await git('pack-refs', '--all');
    // git reads on in the old pack, and finds what it has not read yet.
    for (const name of ['HEAD', 'HEAD:a', 'HEAD~1:b', 'HEAD~1:a']) assert.match(await ask(name), /^[0-9a-f]{40} (commit|blob) \d+$/);
    const held = deleted().length;
    pool.retire(['other.git']);
    assert.equal(pids.size, 1);
    const last = ask('HEAD~1');
    pool.retire([basename(path)]);
    assert.match(await last, / commit /);
    await ask('HEAD');
    assert.deepEqual([pids.size, held > 0], [2, true]);
    await eventually(() => deleted().length === 0, 'the end of the retired process');
    await pool.close();
  });

  it('ends a process that does not respond, and blames only the request that it is stuck on', async () => {
    await using fixture = await createFixture([{ files: { a: '1' } }]);
    const pool = new ProcessPool(2, 100);
    // Without a flush nothing is ever written out.
    const stuck = kind({ flush: '' });
    const outcomes = await Promise.allSettled(
      ['info HEAD', 'info HEAD'].map((line) => pool.request(stuck, fixture.repository, (lines) => lines.request(line))),
    );
    const [first, second] = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason);
    assert.ok(first instanceof GitLimitError);
    // It was asked again, alone, and was stuck itself.
    assert.ok(second instanceof GitLimitError);
    await pool.close();
  });

  it('replaces a process that has been asked often enough', async () => {
    await using fixture = await createFixture([{ files: { a: '1' } }]);
    const pool = new ProcessPool(2, 10_000);
    const seen = new Set<Lines>();
    const few = kind({ maxRequests: 3 });
    for (let i = 0; i < 9; i++) {
      await pool.request(few, fixture.repository, (lines) => {
        seen.add(lines);
        return lines.request('info HEAD');
      });
    }
    assert.equal(seen.size, 3);
    await pool.close();
  });

  it('lets a question wait while all processes are busy for others', async () => {
    await using one = await createFixture([{ files: { a: '1' } }]);
    await using two = await createFixture([{ files: { a: '2' } }]);
    const pool = new ProcessPool(1, 10_000);
    const responses = await Promise.all(
      [one, two, one, two].map((fixture) => pool.request(kind(), fixture.repository, (lines) => lines.request('info HEAD'))),
    );
    const heads = await Promise.all([one, two].map((fixture) => fixture.git(['rev-parse', 'HEAD'])));
    assert.deepEqual(
      responses.map((response) => response.split(' ')[0]),
      [...heads, ...heads],
    );
    assert.equal(pool.size, 1);
    await pool.close();
  });

  it('serves other repositories while processes of some are stuck', async () => {
    await using one = await createFixture([{ files: { a: '1' } }]);
    await using two = await createFixture([{ files: { a: '2' } }]);
    const pool = new ProcessPool(1, 4000);
    const stuck = assert.rejects(
      pool.request(kind({ flush: '' }), one.repository, (lines) => lines.request('info HEAD')),
      GitLimitError,
    );
    // Before it is ended by itself, one is started beyond the limit.
    assert.match(await pool.request(kind(), two.repository, (lines) => lines.request('info HEAD')), / commit \d+$/);
    // The next takes that one's place, and one more has the stuck process ended.
    const others = ['x', 'y'].map((name) => kind({ name, flush: '' }));
    const also = others.map((other) => assert.rejects(pool.request(other, two.repository, (lines) => lines.request('info HEAD'))));
    await stuck;
    await pool.close();
    await Promise.all(also);
  });
});
