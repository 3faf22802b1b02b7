import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { applyPatch } from '../../../src/git/edit/apply-patch.ts';
import { changeFiles } from '../../../src/git/edit/change-files.ts';
import type { FileChange } from '../../../src/git/edit/file-change.ts';
import { HarmfulFileError } from '../../../src/git/edit/fsck-files.ts';
import { mergeCommit, squash } from '../../../src/git/merge/merge.ts';
import { rebaseCommits } from '../../../src/git/merge/pick.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { type GitRepository, OBJECT_FORMATS } from '../../../src/git/repository.ts';
import { ALICE, emptyRepository, git, requireSound } from '../writing.ts';

const GOOD = '[submodule "lib"]\n\tpath = lib\n\turl = https://example.com/lib.git\n';
const BAD = '[submodule "lib"]\n\tpath = lib\n\turl = -u./payload\n';

let repository: GitRepository;
const pool = new GitPool();
after(() => pool.close());

async function change(files: FileChange[], branch = 'main', from = branch): Promise<string> {
  const people = { author: ALICE, committer: ALICE };
  return (await changeFiles(repository, { branch: from, newBranch: branch, files, message: 'change', ...people })).commit;
}

const put = (path: string, text: string): FileChange => ({ operation: 'upload', path, content: Buffer.from(text) });
const objects = () => readdirSync(join(repository.path, 'objects'), { recursive: true }).sort();

/** What is refused leaves nothing. */
async function refused(path: string, attempt: () => Promise<unknown>): Promise<string> {
  const before = objects();
  let message = '';
  await assert.rejects(attempt, (error: Error) => {
    assert.ok(error instanceof HarmfulFileError, String(error));
    assert.equal(error.path, path);
    message = error.message;
    return true;
  });
  assert.deepEqual(objects(), before);
  return message;
}

for (const format of OBJECT_FORMATS)
  describe(`what git refuses to receive, ${format}`, () => {
    beforeEach(async () => {
      repository = await emptyRepository(format);
      await change([put('README.md', '# demo\n')]);
    });

    it('is refused in a change of files, wherever it stands', async () => {
      await change([
        put('.gitmodules', GOOD),
        put('.gitattributes', '*.png binary\n'),
        put('file~1', 'x'),
        put('a/.gitmodules', '[not git'),
      ]);
      const message = await refused('.gitmodules', () => change([put('.gitmodules', BAD)]));
      assert.equal(message, 'disallowed submodule url: -u./payload [path: .gitmodules]');
      for (const path of ['a/b/.gitmodules', '.GITMODULES', '.git\u200cmodules', 'GITMOD~1', 'gi7eba~1', 'x\\.gitmodules', '.gitmodules .'])
        await refused(path, () => change([put('other', GOOD), put(path, BAD)]));
      for (const text of [
        BAD.replace('"lib"', '"../../lib"'),
        BAD.replace('-u./payload', '"https://example.com/\\nhost"'),
        GOOD.replace('path = lib', 'path = -lib'),
        `${GOOD}\tupdate = !touch /tmp/x\n`,
      ])
        await refused('.gitmodules', () => change([put('.gitmodules', text)]));
      await refused('a/.GitModules', () => change([put('a/.GitModules/a', 'x')]));
      await refused('.gitattributes', () => change([put('.gitattributes', `${'a'.repeat(4000)} binary\n`)]));
      requireSound(repository);
    });

    it('is refused when a file moves to such a name', async () => {
      await change([put('text', BAD)]);
      await refused('.gitmodules', () => change([{ operation: 'rename', path: '.gitmodules', fromPath: 'text' }]));
    });

    it('is refused in a patch', async () => {
      const patch = (mode: string, text: string) =>
        `diff --git a/.gitmodules b/.gitmodules\nnew file mode ${mode}\n--- /dev/null\n+++ b/.gitmodules\n@@ -0,0 +1,${text.split('\n').length - 1} @@\n` +
        text.replace(/^(?=.)/gm, '+');
      const apply = (text: string) =>
        applyPatch(repository, { branch: 'main', patch: text, message: 'patch', author: ALICE, committer: ALICE });
      await refused('.gitmodules', () => apply(patch('100644', BAD)));
      await assert.rejects(apply(patch('120000', '/etc/passwd\n')), /invalid path/);
      await apply(patch('100644', GOOD));
      requireSound(repository);
    });

    it('is refused when a head that builds on its base has it from elsewhere', async () => {
      const [into = '', tree = ''] = git(repository, ['rev-parse', 'main', 'main^{tree}']).split('\n');
      const blob = git(repository, ['hash-object', '-w', '--stdin'], BAD).trim();
      const listed = `${git(repository, ['ls-tree', tree]).trim()}\n100644 blob ${blob}\t.gitmodules\n`;
      const harmful = git(repository, ['mktree'], listed).trim();
      const from = git(repository, ['commit-tree', '-p', into, '-m', 'harmful', harmful]).trim();
      const how = { into, author: ALICE, committer: ALICE, message: 'Merge\n', pool };
      await refused('.gitmodules', () => mergeCommit(repository, { ...how, from }));
      await refused('.gitmodules', () => squash(repository, { ...how, from }));
      git(repository, ['repack', '-adq']);
      const good = await change([put('a/b/c', 'x')], 'good', 'main');
      const merged = await mergeCommit(repository, { ...how, from: good });
      assert.equal(git(repository, ['rev-parse', `${merged}^{tree}`]), git(repository, ['rev-parse', 'good^{tree}']));
      assert.equal(git(repository, ['rev-parse', `${merged}^@`]).trim(), `${into}\n${good}`);
    });

    it('is refused when a merge, a squash or a rebase makes it of harmless sides', async () => {
      const lines = Array.from({ length: 30 }, (_, i) => `# line ${i}\n`).join('');
      await change([put('notes', lines)]);
      const theirs = await change([put('notes', lines + BAD)], 'topic', 'main');
      const ours = await change([{ operation: 'rename', path: '.gitmodules', fromPath: 'notes' }]);
      const how = { into: ours, from: theirs, author: ALICE, committer: ALICE, message: 'Merge\n' };
      await refused('.gitmodules', () => mergeCommit(repository, how));
      await refused('.gitmodules', () => squash(repository, how));
      await refused('.gitmodules', () => rebaseCommits(repository, theirs, { onto: ours, committer: ALICE }));
      const good = await change([put('notes', lines + GOOD)], 'good', 'topic');
      assert.equal(
        git(repository, ['show', `${await squash(repository, { ...how, from: good })}:.gitmodules`]).trim(),
        (lines + GOOD).trim(),
      );
      requireSound(repository);
    });
  });
