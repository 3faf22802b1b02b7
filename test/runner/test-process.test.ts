// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TestProcess, type TestProcessOptions } from './test-process.ts';

const file = (name: string) => join(import.meta.dirname, 'fixtures', `${name}.ts`);

function start(options: TestProcessOptions = {}): TestProcess {
  return new TestProcess(tmpdir(), { COPSE_TEST_DATABASE_URL: '', COPSE_TEST_TEMPLATE: '' }, { isQuiet: true, ...options });
}

describe('a process of tests', () => {
  it('runs files one after the other, each with helpers of its own, and tells failures from each other', async () => {
    const process = start();
    const outcomes = [];
    for (const name of ['passes', 'fails', 'fails-late', 'fails-early', 'passes']) {
      const { passed, failed, isFailed } = await process.run(file(name));
      outcomes.push([name, passed, failed, isFailed]);
    }
    assert.deepEqual(outcomes, [
      ['passes', 1, 0, false],
      ['fails', 1, 1, true],
      ['fails-late', 1, 0, true],
      ['fails-early', 0, 1, true],
      ['passes', 1, 0, false],
    ]);
    assert.equal(process.isGone, false);
    await process.end();
  });

  it('keeps nothing that a file has mocked', async () => {
    const process = start();
    assert.equal((await process.run(file('stops-the-clock'))).passed, 1);
    assert.equal((await process.run(file('sees-the-clock'))).passed, 1);
    await process.end();
  });

  it('fails the file that ends it, or in which it is silent for too long', async () => {
    for (const [name, process] of [
      ['dies', start()],
      ['hangs', start({ silenceMs: 2000 })],
    ] as const) {
      const { passed, isFailed } = await process.run(file(name));
      assert.deepEqual([name, passed, isFailed, process.isGone], [name, 0, true, true]);
      await process.end();
    }
  });
});
