import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { Checkpoints } from '../../src/database/checkpoints.ts';
import { eventually } from '../support/eventually.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-checkpoints-'));
after(() => rm(folder, { recursive: true, force: true }));

describe('checkpoints', () => {
  it('are made by another thread after many commits', async () => {
    const path = join(folder, 'a.db');
    const database = new DatabaseSync(path);
    database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (a)');
    const checkpoints = new Checkpoints(path);
    for (let at = 0; at < 1000; at++) {
      database.exec('insert into t values (1)');
      checkpoints.count();
    }
    // Until then the file has its first page alone.
    await eventually(async () => (await stat(path)).size > 4096);
    await checkpoints.close();
    database.close();
  });
});
