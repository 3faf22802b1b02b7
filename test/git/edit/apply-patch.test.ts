import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { type ApplyPatchOptions, applyPatch, PatchError } from '../../../src/git/edit/apply-patch.ts';
import { BranchExistsError, BranchNotFoundError, CommitMismatchError } from '../../../src/git/edit/change-errors.ts';
import { changeFiles } from '../../../src/git/edit/change-files.ts';
import { type GitRepository, OBJECT_FORMATS } from '../../../src/git/repository.ts';
import { ALICE, emptyRepository, filesOf, git, requireSound } from '../writing.ts';

let repository: GitRepository;

const CHANGE = 'diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n';
const CREATION = 'diff --git a/dir/p.txt b/dir/p.txt\nnew file mode 100755\n--- /dev/null\n+++ b/dir/p.txt\n@@ -0,0 +1 @@\n+x\n';

function apply(patch: string, more: Partial<ApplyPatchOptions> = {}) {
  return applyPatch(repository, { branch: 'main', patch, message: 'Apply', author: ALICE, committer: ALICE, ...more });
}

function state(): unknown {
  return [git(repository, ['for-each-ref']), readdirSync(repository.path, { recursive: true }).length];
}

for (const format of OBJECT_FORMATS)
  describe(`applyPatch, ${format}`, () => {
    beforeEach(async () => {
      repository = await emptyRepository(format);
      const files = [{ operation: 'create' as const, path: 'README.md', content: Buffer.from('one\ntwo\nthree\n') }];
      await changeFiles(repository, { branch: 'main', files, message: 'First', author: ALICE, committer: ALICE });
    });

    it('changes and makes files with one commit', async () => {
      const paths: string[] = [];
      const check = async (_: unknown, changed: readonly string[]) => void paths.push(...changed);
      const { commit, tree, parent } = await apply(CHANGE + CREATION, { check, signoff: true });
      assert.deepEqual(paths, ['README.md', 'dir/p.txt']);
      assert.deepEqual(filesOf(repository, 'main'), { '100644 README.md': 'one\n2\nthree', '100755 dir/p.txt': 'x' });
      assert.equal(git(repository, ['rev-parse', 'main', 'main^{tree}', 'main^']), `${commit}\n${tree}\n${parent}`);
      assert.match(git(repository, ['log', '-1', '--format=%B', 'main']), /^Apply\n\nSigned-off-by: Alice <alice@example\.com>/);
      requireSound(repository);
      assert.deepEqual(
        readdirSync(join(repository.path, 'objects')).filter((name) => name.startsWith('tmp')),
        [],
      );
    });

    it('takes what format-patch writes, and puts it on a new branch', async () => {
      await apply(CHANGE, { newBranch: 'source' });
      const patch = git(repository, ['format-patch', '--stdout', '--full-index', '--binary', 'main..source']);
      await apply(`${patch}\n`, { newBranch: 'target' });
      assert.equal(git(repository, ['rev-parse', 'target^{tree}']), git(repository, ['rev-parse', 'source^{tree}']));
      await assert.rejects(apply(CREATION, { newBranch: 'target' }), BranchExistsError);
      await assert.rejects(apply(CREATION, { branch: 'missing' }), BranchNotFoundError);
    });

    const refused: [string, string][] = [
      ['does not fit', CHANGE.replace('-two', '-zwei')],
      ['is none', 'hello\n'],
      ['is empty', ''],
      ['leaves the tree', CREATION.replaceAll('dir/p.txt', '../p.txt')],
      ['changes git’s own files', CREATION.replaceAll('dir/p.txt', '.git/hooks/x')],
      ['changes what is not there', CHANGE.replaceAll('README.md', 'missing')],
    ];
    for (const [what, patch] of refused)
      it(`refuses a patch that ${what}, and leaves nothing`, async () => {
        const before = state();
        await assert.rejects(apply(patch), (error: unknown) => {
          assert(error instanceof PatchError, String(error));
          assert(error.reasons.length > 0);
          return true;
        });
        assert.deepEqual(state(), before);
      });

    it('asks before the branch moves, and compares with the commit the caller has seen', async () => {
      const before = state();
      const check = async () => {
        throw new Error('protected');
      };
      await assert.rejects(apply(CHANGE, { check }), /protected/);
      await assert.rejects(apply(CHANGE, { lastCommit: '1'.repeat(40) }), CommitMismatchError);
      assert.deepEqual(state(), before);
    });
  });
