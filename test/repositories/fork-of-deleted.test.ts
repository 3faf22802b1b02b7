import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, carol] = await Promise.all([t.user('alice'), t.user('carol')]);

it('a source that is deleted while it is copied is not found, and leaves nothing', async () => {
  const source = await codeRepository(t, alice, 'leaving', [{ label: 'one', files: { 'a.txt': 'a\n' } }]);
  const { path } = t.context.git.locate(source.row);
  const readFolder = fs.readdir;
  fs.readdir = (async (folder: string, ...rest: []) => {
    if (folder === join(path, 'objects')) {
      restore();
      await alice.must('DELETE', source.path);
      await t.settled();
    }
    return await readFolder(folder, ...rest);
  }) as typeof fs.readdir;
  const restore = () => {
    fs.readdir = readFolder;
    syncBuiltinESMExports();
  };
  syncBuiltinESMExports();
  const { status } = await carol.post(`${source.path}/forks`, {});
  restore();
  assert.equal(status, 404);
  assert.equal((await carol.get('/repos/carol/leaving')).status, 404);
  const left = await t.context.db.selectFrom('repositories').select('id').where('lower_name', 'like', '%leaving%').execute();
  assert.deepEqual(left, []);
});
