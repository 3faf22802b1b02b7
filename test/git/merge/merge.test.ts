import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { changeFiles } from '../../../src/git/edit/change-files.ts';
import { MergeConflictError, mergeCommit, squash, tryMerge } from '../../../src/git/merge/merge.ts';
import { UnrelatedHistoriesError } from '../../../src/git/merge/merge-trees.ts';
import { rebaseCommits } from '../../../src/git/merge/pick.ts';
import { type GitRepository, OBJECT_FORMATS } from '../../../src/git/repository.ts';
import { ALICE, emptyRepository, filesOf, git, requireSound } from '../writing.ts';

const BOB = { name: 'Bob', email: 'bob@example.com', seconds: 1_710_000_000, offset: 60 };
const LINES = 'one\ntwo\nthree\nfour\nfive\n';

let repository: GitRepository;

/** Commits files on a branch, made from `from` if it is new; null deletes. */
async function put(branch: string, files: Record<string, string | null>, from = branch): Promise<string> {
  const { commit } = await changeFiles(repository, {
    branch: from,
    newBranch: branch,
    files: Object.entries(files).map(([path, text]) =>
      text === null ? { operation: 'delete' as const, path } : { operation: 'upload' as const, path, content: Buffer.from(text) },
    ),
    message: `Change ${Object.keys(files).join(', ')}`,
    author: ALICE,
    committer: ALICE,
  });
  return commit;
}

function objectCount(): number {
  return readdirSync(join(repository.path, 'objects'), { recursive: true }).length;
}

const how = (into: string, from: string) => ({ into, from, author: ALICE, committer: BOB, message: 'Merge\n' });

for (const format of OBJECT_FORMATS)
  describe(`merging, ${format}`, () => {
    beforeEach(async () => {
      repository = await emptyRepository(format);
      await put('main', { 'a.txt': LINES, 'b.txt': 'b\n', 'dir/c.txt': 'c\n' });
    });

    it('makes a merge commit of two sides, renames followed', async () => {
      const theirs = await put('topic', { 'a.txt': LINES.replace('one', '1'), 'new.txt': 'n\n' }, 'main');
      await put('main', { 'moved/a.txt': LINES, 'a.txt': null });
      const ours = git(repository, ['rev-parse', 'main']);
      const commit = await mergeCommit(repository, how(ours, theirs));
      assert.deepEqual(filesOf(repository, commit), {
        '100644 b.txt': 'b',
        '100644 dir/c.txt': 'c',
        '100644 moved/a.txt': LINES.replace('one', '1').trimEnd(),
        '100644 new.txt': 'n',
      });
      assert.equal(
        git(repository, ['log', '-1', '--format=%P %an %cn %cI %B', commit]),
        `${ours} ${theirs} Alice Bob 2024-03-09T17:00:00+01:00 Merge\n`,
      );
      requireSound(repository);
    });

    it('squashes into one commit', async () => {
      await put('topic', { 'b.txt': 'B\n' }, 'main');
      const theirs = await put('topic', { 'new.txt': 'n\n' });
      const ours = await put('main', { 'dir/d.txt': 'd\n' });
      const commit = await squash(repository, how(ours, theirs));
      assert.equal(git(repository, ['rev-parse', `${commit}^@`]), ours);
      assert.deepEqual(git(repository, ['diff-tree', '-r', '--name-only', ours, commit]).split('\n'), ['b.txt', 'new.txt']);
      requireSound(repository);
    });

    it('names the conflicts and leaves nothing behind', async () => {
      const theirs = await put('topic', { 'a.txt': LINES.replace('two', '2'), 'b.txt': null }, 'main');
      const ours = await put('main', { 'a.txt': LINES.replace('two', 'zwei'), 'b.txt': 'changed\n' });
      const objects = objectCount();
      await assert.rejects(mergeCommit(repository, how(ours, theirs)), (error: unknown) => {
        assert(error instanceof MergeConflictError);
        assert.deepEqual(error.paths, ['a.txt', 'b.txt']);
        assert.match(error.messages.join('\n'), /content.*a\.txt/);
        return true;
      });
      const tried = await tryMerge(repository, ours, theirs);
      assert.equal(tried.clean, false);
      assert.equal((await tryMerge(repository, ours, `${ours}`)).clean, true);
      assert.equal(objectCount(), objects);
    });

    it('refuses histories that have nothing in common', async () => {
      const alien = git(repository, ['commit-tree', '-m', 'Alien', 'main^{tree}']);
      const main = git(repository, ['rev-parse', 'main']);
      await assert.rejects(mergeCommit(repository, how(main, alien)), UnrelatedHistoriesError);
    });

    it('rebases one by one, leaving out what is there already', async () => {
      const first = await put('topic', { 'a.txt': LINES.replace('one', '1') }, 'main');
      const second = await put('topic', { 'b.txt': 'same\n' });
      const third = await put('topic', { 'new.txt': 'n\n' });
      const onto = await put('main', { 'b.txt': 'same\n', 'dir/d.txt': 'd\n' });
      const { head, commits } = await rebaseCommits(repository, third, { onto, committer: BOB });
      assert.deepEqual(
        commits.map(({ from, to }) => [from, to !== null]),
        [
          [first, true],
          [second, false],
          [third, true],
        ],
      );
      assert.equal(git(repository, ['log', '--format=%s|%an|%cn', `${onto}..${head}`]), 'Change new.txt|Alice|Bob\nChange a.txt|Alice|Bob');
      assert.equal(git(repository, ['rev-parse', `${head}~2`]), onto);
      const objects = git(repository, ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype)']).split('\n');
      assert.equal(objects.filter((type) => type === 'commit').length, 7, 'what git was shown only for the merges is gone');
      requireSound(repository);
    });

    it('leaves commits that stand in their place as they are', async () => {
      const onto = git(repository, ['rev-parse', 'main']);
      const head = await put('topic', { 'new.txt': 'n\n' }, 'main');
      assert.deepEqual(await rebaseCommits(repository, head, { onto, committer: BOB }), { head, commits: [{ from: head, to: head }] });
      assert.deepEqual(await rebaseCommits(repository, onto, { onto, committer: BOB }), { head: onto, commits: [] });
    });

    it('keeps commits that were made empty, though the other side has such a one', async () => {
      const root = git(repository, ['rev-parse', 'main']);
      const empty = (on: string, message: string) => git(repository, ['commit-tree', `${on}^{tree}`, '-p', on, '-m', message]);
      const onto = empty(await put('main', { 'main.txt': 'm\n' }), 'Empty there');
      const head = empty(empty(root, 'Empty one'), 'Empty two');
      const made = await rebaseCommits(repository, head, { onto, committer: BOB });
      assert.equal(git(repository, ['log', '--format=%s', `${onto}..${made.head}`]), 'Empty two\nEmpty one');
    });

    it('names the commit that does not fit, and leaves nothing of the others', async () => {
      await put('topic', { 'new.txt': 'n\n' }, 'main');
      const bad = await put('topic', { 'b.txt': 'theirs\n' });
      const onto = await put('main', { 'b.txt': 'ours\n' });
      const objects = objectCount();
      await assert.rejects(rebaseCommits(repository, bad, { onto, committer: BOB }), (error: unknown) => {
        assert(error instanceof MergeConflictError);
        assert.deepEqual([error.commit, error.paths], [bad, ['b.txt']]);
        return true;
      });
      assert.equal(objectCount(), objects);
    });

    it('keeps the bytes of messages, and makes a declared encoding UTF-8', async () => {
      const tree = git(repository, ['rev-parse', 'main^{tree}']);
      const parent = git(repository, ['rev-parse', 'main']);
      const blob = git(repository, ['hash-object', '-w', '--stdin'], 'x');
      const changed = git(repository, ['mktree'], `${git(repository, ['ls-tree', 'main'])}\n100644 blob ${blob}\tz.txt\n`);
      assert.notEqual(changed, tree);
      const write = (header: string, message: Buffer) => {
        const head = Buffer.from(
          `tree ${changed}\nparent ${parent}\nauthor M\xfcller <m@example.com> 1704110400 +0200\ncommitter M <m@example.com> 1 +0000\n${header}\n`,
          'latin1',
        );
        return git(repository, ['hash-object', '-w', '-t', 'commit', '--literally', '--stdin'], Buffer.concat([head, message]));
      };
      const onto = await put('main', { 'b.txt': 'ours\n' });
      const written = write('encoding ISO-8859-1\n', Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
      const { head: declared } = await rebaseCommits(repository, written, { onto, committer: BOB });
      assert.match(git(repository, ['cat-file', 'commit', declared]), /author Müller <m@example\.com> 1704110400 \+0200\n.*\n\nGrüße$/s);
      assert.doesNotMatch(git(repository, ['cat-file', 'commit', declared]), /encoding/);
    });
  });
