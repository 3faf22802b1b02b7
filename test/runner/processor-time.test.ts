// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { processorSeconds } from './processor-time.ts';

/** Some 50 ms of work. */
const WORK = 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done';

it('the processor time of a process has that of what it started, while that runs and afterwards', {
  skip: !existsSync('/proc'),
}, async () => {
  const before = processorSeconds(process.pid);
  execFileSync('/bin/sh', ['-c', WORK]);
  const afterOne = processorSeconds(process.pid);
  assert.ok(afterOne > before, `${before} ${afterOne}`);
  const child = spawn('/bin/sh', ['-c', `(${WORK}; echo; exec sleep 60) & wait`], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const { pid = 0 } = child;
  await once(child.stdout, 'data');
  assert.ok(processorSeconds(process.pid) > afterOne);
  assert.ok(processorSeconds(pid) > 0);
  process.kill(-pid, 'SIGKILL');
});
