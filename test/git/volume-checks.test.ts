import assert from 'node:assert/strict';
import { pbkdf2 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { Volume } from '../../src/git/volumes.ts';

it('a volume is not away because this process is too busy to read its marker', async (test) => {
  const { mock } = test;
  const path = await mkdtemp(join(tmpdir(), 'copse-volume-'));
  test.after(() => rm(path, { recursive: true }));
  const volume = new Volume({ name: 'one', path }, 1);
  await volume.mark();
  assert.equal(await volume.check(), true);
  const threads = Math.max(4, availableParallelism());
  const work = Array.from({ length: threads * 2 }, () => promisify(pbkdf2)('x', 'y', 200_000, 32, 'sha256'));
  mock.timers.enable({ apis: ['setTimeout'] });
  const checked = volume.check();
  mock.timers.tick(5000);
  assert.equal(await checked, true);
  assert.equal(volume.isAvailable, true);
  await Promise.all(work);
  await rm(join(path, '.copse-volume'));
  assert.equal(await volume.check(), false, 'without its marker it is');
});
