import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { Checkpoints } from '../../src/database/checkpoints.ts';
import { eventually } from '../support/eventually.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-checkpoints-'));
after(() => rm(folder, { recursive: true, force: true }));

/** The same number of commits to a database without checkpoints of its own. */
function commit(path: string, checkpoints: Checkpoints): void {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table if not exists t (a)');
  for (let at = 0; at < 1000; at++) {
    database.exec('insert into t values (1)');
    checkpoints.count();
  }
  // Open while the other thread works: closed, it would be emptied by this one.
  after(() => database.close());
}

/** Until then the file has its first page alone. */
const isMoved = async (path: string) => (await stat(path)).size > 4096;

describe('checkpoints', () => {
  it('are made by another thread after many commits', async () => {
    const path = join(folder, 'a.db');
    const checkpoints = new Checkpoints(path, (error) => assert.ifError(error));
    commit(path, checkpoints);
    await eventually(() => isMoved(path), 'a checkpoint');
    await checkpoints.close();
  });

  it('go on after one that failed, which is reported', async () => {
    const path = join(folder, 'later', 'b.db');
    const errors: unknown[] = [];
    const checkpoints = new Checkpoints(path, (error) => errors.push(error));
    for (let at = 0; at < 400; at++) checkpoints.count();
    await eventually(() => errors.length > 0, 'the error');
    assert.match(String(errors[0]), /unable to open database file/);
    await mkdir(join(folder, 'later'));
    commit(path, checkpoints);
    await eventually(() => isMoved(path), 'a checkpoint');
    assert.equal(errors.length, 1);
    await checkpoints.close();
  });
});
