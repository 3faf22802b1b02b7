import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createRepository, deleteRepository, isRepositoryLeftover, RepositoryExistsError } from '../../src/git/create.ts';
import { OBJECT_FORMATS } from '../../src/git/repository.ts';
import { git, requireSound, temporaryFolder } from './writing.ts';

describe('createRepository', () => {
  for (const objectFormat of OBJECT_FORMATS)
    it(`makes a ${objectFormat} repository that git takes for its own`, async () => {
      const repository = await createRepository(join(temporaryFolder(), 'a/b.git'), { objectFormat, defaultBranch: 'trunk' });
      assert.equal(git(repository, ['rev-parse', '--show-object-format']), objectFormat);
      assert.equal(git(repository, ['rev-parse', '--is-bare-repository']), 'true');
      assert.equal(git(repository, ['symbolic-ref', 'HEAD']), 'refs/heads/trunk');
      requireSound(repository);
    });

  it('refuses a path that is taken and leaves it as it was', async () => {
    const folder = temporaryFolder();
    const repository = await createRepository(join(folder, 'b.git'), { defaultBranch: 'main' });
    await assert.rejects(createRepository(repository.path, { defaultBranch: 'other' }), RepositoryExistsError);
    assert.equal(git(repository, ['symbolic-ref', 'HEAD']), 'refs/heads/main');
    assert.deepEqual(readdirSync(folder), ['b.git']);
  });

  it('lets one of two that make the same repository have it', async () => {
    const path = join(temporaryFolder(), 'b.git');
    const results = await Promise.allSettled([1, 2].map(() => createRepository(path, { defaultBranch: 'main' })));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('refuses a default branch that is not a branch name', async () => {
    const folder = temporaryFolder();
    await assert.rejects(createRepository(join(folder, 'b.git'), { defaultBranch: 'a\nb' }), TypeError);
    assert.deepEqual(readdirSync(folder), []);
  });
});

describe('deleteRepository', () => {
  it('removes everything at once, so that nothing half removed is found', async () => {
    const folder = temporaryFolder();
    const repository = await createRepository(join(folder, 'b.git'), { defaultBranch: 'main' });
    assert.equal(await deleteRepository(repository), true);
    assert.equal(existsSync(repository.path), false);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(await deleteRepository(repository), false);
  });

  it('distinguishes leftovers and repositories', () => {
    assert.equal(isRepositoryLeftover('.b.git.removed-0123456789ab'), true);
    assert.equal(isRepositoryLeftover('b.git'), false);
  });
});
