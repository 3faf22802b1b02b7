import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { changeFiles } from '../../../src/git/edit/change-files.ts';
import type { FileChange } from '../../../src/git/edit/file-change.ts';
import { looseChanges } from '../../../src/git/edit/loose-changes.ts';
import { OBJECT_FORMATS } from '../../../src/git/repository.ts';
import { ALICE, emptyRepository, git } from '../writing.ts';

const put = (path: string, text: string): FileChange => ({ operation: 'upload', path, content: Buffer.from(text) });

for (const format of OBJECT_FORMATS)
  it(`loose changes are those that git finds, and none are found among packed objects, ${format}`, async () => {
    const repository = await emptyRepository(format);
    const change = async (files: FileChange[]) =>
      (await changeFiles(repository, { branch: 'main', newBranch: 'main', files, message: 'm', author: ALICE, committer: ALICE })).commit;
    const objects = join(repository.path, 'objects');
    const commits = [
      await change([put('a', '1'), put('b/c/d', '1'), put('b/e', '1'), put('f', '1'), put('same/file', '1')]),
      await change([put('a', '2'), put('b/c/d', '2'), put('ü', '1'), { operation: 'delete', path: 'f' }]),
      await change([{ operation: 'delete', path: 'a' }, { operation: 'delete', path: 'b/c/d' }, put('f/g/h', '1'), put('b/c2', '1')]),
      await change([put('a/b', '1')]),
    ];
    const byGit = (commit: string, parent: string) =>
      git(repository, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--diff-filter=d', parent, commit]);
    for (const commit of commits)
      for (const parent of commits) {
        const fields = byGit(commit, parent).split('\0');
        const expected = fields.flatMap((path, at) => {
          const [, mode, , oid] = fields[at - 1]?.split(' ') ?? [];
          return at % 2 ? [{ path, item: { mode, oid } }] : [];
        });
        const found = await looseChanges([objects], format, commit, parent);
        assert.deepEqual(
          found?.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
          expected.sort((a, b) => (a.path < b.path ? -1 : 1)),
        );
      }
    git(repository, ['repack', '-adq']);
    assert.equal(await looseChanges([objects], format, commits[1] ?? '', commits[0] ?? ''), undefined);
  });
