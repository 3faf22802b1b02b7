import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { filesBelow, namesIn, sizeOf } from '../../src/git/folder-entries.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copse-entries-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the files of a folder', () => {
  it('are those in it and below, links among them and not followed', async () => {
    await mkdir(join(folder, 'a/b/empty'), { recursive: true });
    await writeFile(join(folder, 'one'), '1');
    await writeFile(join(folder, 'a/b/two'), '22');
    await symlink('..', join(folder, 'a/up'));
    const files = await filesBelow(folder);
    assert.deepEqual(
      new Map(files.map(({ path, size }) => [path.slice(folder.length + 1), size])),
      new Map([
        ['one', 1],
        ['a/up', 2],
        ['a/b/two', 2],
      ]),
    );
    assert.equal(await sizeOf([...files.map(({ path }) => path), join(folder, 'gone')]), 5);
  });

  it('are none where the folder is missing; other errors are not hidden', async () => {
    assert.deepEqual([await namesIn(join(folder, 'gone')), await filesBelow(join(folder, 'gone'))], [[], []]);
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(namesIn(join(folder, 'file')), { code: 'ENOTDIR' });
  });
});
