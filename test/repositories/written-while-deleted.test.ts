import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const { rename } = fs;

/** Writes a file by the API, and calls `meanwhile` before its first object is in place, which then fails. */
async function write(name: string, meanwhile: (path: string) => Promise<unknown>) {
  const made = await codeRepository(t, alice, name, [{ label: 'one', files: { 'a.txt': 'a\n' } }]);
  const objects = join(t.context.git.locate(made.row).path, 'objects');
  fs.rename = async (from, to) => {
    if (!String(to).startsWith(objects)) return await rename(from, to);
    restore();
    await meanwhile(made.path);
    throw Object.assign(new Error('no such file or directory'), { code: 'ENOENT' });
  };
  const restore = () => {
    fs.rename = rename;
    syncBuiltinESMExports();
  };
  syncBuiltinESMExports();
  const response = await alice.post(`${made.path}/contents/b.txt`, { content: 'Yg==', message: 'b' });
  restore();
  return response;
}

it('a repository that is deleted while it is written to is not found', async () => {
  const { status } = await write('leaving', (path) => alice.must('DELETE', path));
  assert.equal(status, 404);
});

it('the same error is one of the server where the repository is still there', async () => {
  assert.equal((await write('staying', async () => {})).status, 500);
});
