import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, it } from 'node:test';
import { fill } from './fill.ts';
import { differences, Instance, scratch } from './support.ts';

const source = await Instance.empty();
let paths: readonly string[] = [];
/** A copy in SQLite. */
const file = join(await scratch(), 'middle', 'copse.db');

before(async () => {
  await source.start();
  ({ paths } = await fill(source));
  await source.settled();
});

describe('copse database copy', () => {
  it('refuses a database that is in use, or not empty, or not named as it has to be', async () => {
    const inUse = await source.run('database', 'copy', '--from', 'current', '--to', `sqlite:${file}`);
    assert.match(inUse.stderr, source.database ? /the source is in use: stop server \d+/ : /another server runs on the data folder/);
    const copy = async (...args: string[]) => (await source.run('database', 'copy', ...args)).stderr.split('\n')[0];
    assert.match((await copy('--from', 'current', '--to', 'current')) ?? '', /are the same database/);
    assert.match((await copy('--from', 'mysql://x', '--to', 'current')) ?? '', /--from has to be current, sqlite:/);
    assert.match((await copy('--from', 'current', '--to', 'postgres://a:b@db/c')) ?? '', /--to has a password/);
    assert.match((await copy('--from', 'sqlite:/nonexistent/x.db', '--to', 'current')) ?? '', /there is no database \/nonexistent\/x.db/);
  });

  it('copies every row to SQLite and back, so that all responses are the same', async () => {
    const expected = await source.responses('alice', paths);
    assert.deepEqual(
      paths.filter((path) => !expected[path]?.startsWith('200 ')),
      [],
    );
    await source.stop();
    assert.match(await source.must('database', 'copy', '--from', 'current', '--to', `sqlite:${file}`), /copied \d+ rows of \d+ tables/);
    const target = await Instance.empty();
    await target.must(
      'database',
      'copy',
      '--from',
      `sqlite:${file}`,
      '--to',
      target.database ? 'current' : `sqlite:${target.dataDir}/copse.db`,
    );
    for (const name of ['repositories', 'storage', 'secret.key'])
      await cp(join(source.dataDir, name), join(target.dataDir, name), { recursive: true });
    await target.start();
    assert.deepEqual(differences(await target.responses('alice', paths), expected), []);
    // Automatic ids go on, also beyond rows that are gone.
    const alice = target.as('alice');
    await alice.must('POST', '/user/repos', { name: 'later', auto_init: true });
    await alice.must('POST', '/repos/alice/code/issues', { title: 'later' });
    await target.stop();
    assert.match(await target.must('doctor'), /^nothing is wrong/);
    const again = await target.run('database', 'copy', '--from', `sqlite:${file}`, '--to', 'current');
    assert.match(again.stderr, /the target database is not empty|are the same database/);
  });

  it('refuses values that are not what their column is for', async () => {
    const database = new DatabaseSync(file);
    database.exec("update users set created_at = 'yesterday'");
    database.close();
    const { code, stderr } = await source.run('database', 'copy', '--from', `sqlite:${file}`, '--to', `sqlite:${await scratch()}/x.db`);
    assert.deepEqual(
      [code, stderr.trim()],
      [1, 'copse database copy: users.created_at has a value that is not of the type integer: yesterday'],
    );
  });
});
