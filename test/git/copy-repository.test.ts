import assert from 'node:assert/strict';
import fs, { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { copyRepository } from '../../src/git/copy-repository.ts';
import { createRepository } from '../../src/git/create.ts';
import { GitPool } from '../../src/git/objects/objects.ts';
import { runGit } from '../../src/git/processes/process.ts';
import { updateRef } from '../../src/git/refs/update-refs.ts';
import { createFixture, type Fixture } from './fixture.ts';

const pool = new GitPool();
const folder = await mkdtemp(join(tmpdir(), 'copse-copy-'));
after(async () => {
  await pool.close();
  await rm(folder, { recursive: true, force: true });
});

const commits = Array.from({ length: 40 }, (_, at) => ({ label: `c${at}`, files: { [`f${at}.txt`]: `${at}\n` } }));

async function copyOf(source: Fixture, name: string) {
  const copy = await createRepository(join(folder, name), { defaultBranch: 'main', objectFormat: source.repository.objectFormat });
  const refs = await copyRepository(source.repository, copy, pool);
  return { copy, refs };
}

const fsck = (path: string) => runGit(['fsck', '--strict', '--connectivity-only'], { cwd: path });

/** Adds a loose commit to `main`. */
async function addLoose(source: Fixture, at: number) {
  const tree = await source.git(['rev-parse', 'main^{tree}']);
  const commit = await source.git(['commit-tree', '-p', 'main', '-m', `loose ${at}`, tree]);
  await updateRef(source.repository, { name: 'refs/heads/main', to: commit });
}

describe('copying a repository', () => {
  it('links loose and packed objects, and leaves what is not an object or a branch or tag', async () => {
    await using source = await createFixture(commits);
    await source.git(['tag', '-a', '-m', 'First', 'v1', source.id('c1')]);
    await source.git(['pack-refs', '--all']);
    await addLoose(source, 1);
    await source.git(['update-ref', 'refs/notes/x', source.id('c2')]);
    const objects = join(source.repository.path, 'objects');
    await writeFile(join(objects, 'pack/tmp_pack_x'), 'half');
    await writeFile(join(objects, 'info/alternates'), '');
    const { copy, refs } = await copyOf(source, 'plain.git');
    assert.deepEqual(
      refs.map(({ name }) => name),
      ['refs/heads/main', 'refs/tags/v1'],
    );
    await fsck(copy.path);
    const [names, info] = [await readdir(join(copy.path, 'objects/pack')), await readdir(join(copy.path, 'objects/info'))];
    assert.ok(names.length > 0 && names.every((name) => name.startsWith('pack-')));
    assert.deepEqual(info, []);
    const [pack = ''] = names.filter((name) => name.endsWith('.pack'));
    assert.equal((await stat(join(copy.path, 'objects/pack', pack))).ino, (await stat(join(objects, 'pack', pack))).ino);
    const { stdout } = await runGit(['for-each-ref', '--format=%(refname) %(*objectname)'], { cwd: copy.path });
    assert.equal(stdout.toString(), `refs/heads/main \nrefs/tags/v1 ${source.id('c1')}\n`);
    // Refs of the copy move like any others.
    await updateRef(copy, { name: 'refs/tags/v1', to: null });
    assert.deepEqual(await readdir(join(copy.path, 'refs/tags')), []);
  });

  it('is whole while maintenance rearranges the source', async () => {
    await using source = await createFixture(commits);
    let going = true;
    const maintenance = (async () => {
      for (let at = 0; going; at++) {
        await addLoose(source, at);
        await source.git(['repack', ...(at % 3 === 0 ? ['-a'] : ['--geometric=2']), '-d', '-q']);
        if (at % 2 === 0) await source.git(['prune-packed', '-q']);
      }
    })();
    try {
      for (let at = 0; at < 12; at++) await fsck((await copyOf(source, `busy-${at}.git`)).copy.path);
    } finally {
      going = false;
      await maintenance;
    }
  });

  it('fails if the source is missing, and accepts an empty one', async () => {
    await using source = await createFixture();
    assert.deepEqual((await copyOf(source, 'empty.git')).refs, []);
    await rm(source.repository.path, { recursive: true });
    await assert.rejects(copyOf(source, 'gone.git'), { code: 'ENOENT' });
  });
});

describe('copying a repository that is deleted meanwhile', () => {
  const readFolder = fs.readdir;
  afterEach(() => {
    fs.readdir = readFolder;
    syncBuiltinESMExports();
  });

  for (const part of ['objects', 'objects/pack']) {
    it(`fails where ${part} is read too late, and makes no copy without objects`, async () => {
      await using source = await createFixture(commits);
      await source.git(['repack', '-adq']);
      await source.git(['pack-refs', '--all']);
      await source.git(['prune-packed']);
      const { path } = source.repository;
      // A deletion renames the folder.
      fs.readdir = (async (folder: string, ...rest: []) => {
        if (folder === join(path, part)) await rename(path, `${path}.removed`).catch(() => {});
        return await readFolder(folder, ...rest);
      }) as typeof fs.readdir;
      syncBuiltinESMExports();
      await assert.rejects(copyOf(source, `late-${part.replace('/', '-')}.git`), { code: 'ENOENT' });
      await rename(`${path}.removed`, path);
    });
  }
});
