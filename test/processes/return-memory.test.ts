// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { mallocTrim, returnMemory } from '../../src/processes/return-memory.ts';

/** Prints by how many MiB the process shrinks whose heap of C is full of gaps. */
const PROGRAM = `
  const { mallocTrim } = await import(${JSON.stringify(new URL('../../src/processes/return-memory.ts', import.meta.url))});
  const trim = await mallocTrim();
  let buffers = Array.from({ length: 60_000 }, () => Buffer.allocUnsafeSlow(1200));
  buffers = buffers.filter((_, at) => at % 20 === 0);
  gc();
  await new Promise((resolve) => setTimeout(resolve, 100));
  gc();
  const before = process.memoryUsage.rss();
  trim();
  console.log((before - process.memoryUsage.rss()) / 2 ** 20, buffers.length);
`;

it('memory between what is in use goes back to the system', { skip: !(await mallocTrim()) }, async () => {
  const args = ['--expose-gc', '--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [mebibytes] = stdout.split(' ').map(Number);
  assert.ok((mebibytes ?? 0) > 20, stdout);
});

it('giving memory back keeps no process, and ends with the server', async () => {
  const running = new AbortController();
  await returnMemory(running.signal);
  running.abort();
  await returnMemory(AbortSignal.abort());
});
