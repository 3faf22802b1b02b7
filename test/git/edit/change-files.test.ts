import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import {
  BranchExistsError,
  BranchNotFoundError,
  CommitMismatchError,
  FileExistsError,
  FileNotFoundError,
  InvalidPathError,
  ShaMismatchError,
} from '../../../src/git/edit/change-errors.ts';
import { type ChangeFilesOptions, type ContentConverter, changeFiles, type PreparedChange } from '../../../src/git/edit/change-files.ts';
import type { FileChange } from '../../../src/git/edit/file-change.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { type GitRepository, OBJECT_FORMATS } from '../../../src/git/repository.ts';
import { writeBlob } from '../new-objects.ts';
import { ALICE, emptyRepository, filesOf, git, requireSound } from '../writing.ts';

let repository: GitRepository;

function change(files: readonly FileChange[], more: Partial<ChangeFilesOptions> = {}) {
  return changeFiles(repository, { branch: 'main', files, message: 'Change', author: ALICE, committer: ALICE, ...more });
}

function create(path: string, content = 'x\n'): FileChange {
  return { operation: 'create', path, content: Buffer.from(content) };
}

function blobAt(path: string, revision = 'main'): string {
  return git(repository, ['rev-parse', `${revision}:${path}`]);
}

describe('changeFiles', () => {
  for (const format of OBJECT_FORMATS)
    it(`makes the first commit, then creates, updates, moves and deletes with one commit, in ${format}`, async () => {
      repository = await emptyRepository(format);
      const first = await change([create('a.txt', 'a\n'), create('b/c/d.txt', 'd\n'), create('gone.txt')], { branch: 'trunk' });
      assert.deepEqual([first.parent, first.before, first.ref], [null, null, 'refs/heads/trunk']);
      const { commit, tree, parent, files } = await change(
        [
          { operation: 'update', path: 'a.txt', content: Buffer.from('A\n'), sha: blobAt('a.txt', 'trunk') },
          { operation: 'update', path: 'moved/d.txt', fromPath: 'b/c/d.txt', content: Buffer.from('D\n') },
          { operation: 'delete', path: 'gone.txt' },
          { operation: 'upload', path: 'new.txt', content: Buffer.from('n\n') },
        ],
        { branch: 'trunk', message: 'Several', signoff: true },
      );
      assert.equal(parent, first.commit);
      assert.deepEqual(filesOf(repository, 'trunk'), { '100644 a.txt': 'A', '100644 moved/d.txt': 'D', '100644 new.txt': 'n' });
      assert.equal(git(repository, ['rev-parse', 'trunk', 'trunk^{tree}']), `${commit}\n${tree}`);
      assert.equal(git(repository, ['log', '-1', '--format=%B', 'trunk']), 'Several\n\nSigned-off-by: Alice <alice@example.com>');
      assert.deepEqual(
        files.map(({ path, item }) => [path, item?.oid ?? null]),
        ['a.txt', 'moved/d.txt', 'gone.txt', 'new.txt'].map((path) => [path, path === 'gone.txt' ? null : blobAt(path, 'trunk')]),
      );
      requireSound(repository);
    });

  describe('on a branch', () => {
    before(async () => {
      repository = await emptyRepository();
      const blob = await writeBlob(repository, Buffer.from('run\n'));
      const lines = [
        `100755 blob ${blob}\trun.sh`,
        `120000 blob ${blob}\tlink`,
        `160000 commit ${'1'.repeat(40)}\tmodule`,
        `100644 blob ${blob}\tREADME.md`,
      ];
      const folder = git(repository, ['mktree'], `100644 blob ${blob}\ta.txt\n`);
      const tree = git(repository, ['mktree', '--missing'], `${lines.join('\n')}\n040000 tree ${folder}\tdir\n`);
      git(repository, ['update-ref', 'refs/heads/main', git(repository, ['commit-tree', '-m', 'First', tree])]);
    });

    it('reads what is packed', async () => {
      git(repository, ['repack', '-adq']);
      git(repository, ['pack-refs', '--all']);
      await change([create('dir/packed.txt')]);
      assert.equal(git(repository, ['show', 'main:dir/packed.txt']), 'x');
    });

    it('keeps modes through updates and moves', async () => {
      await change([
        { operation: 'update', path: 'run.sh', content: Buffer.from('2\n') },
        { operation: 'rename', path: 'dir/link', fromPath: 'link' },
        { ...create('exec'), executable: true },
      ]);
      const files = filesOf(repository, 'main');
      for (const name of ['100755 run.sh', '120000 dir/link', '100755 exec', `160000 module`]) assert(name in files, name);
    });

    it('puts the commit on a new branch, or with force on one that exists', async () => {
      const main = git(repository, ['rev-parse', 'main']);
      await change([create('topic.txt')], { newBranch: 'topic' });
      await assert.rejects(change([create('again.txt')], { newBranch: 'topic' }), BranchExistsError);
      const { parent } = await change([create('forced.txt')], { newBranch: 'topic', force: true });
      assert.equal(parent, main);
      assert.equal(git(repository, ['rev-parse', 'main', 'topic^']), `${main}\n${main}`);
    });

    const refused: [string, FileChange, new (...args: never[]) => Error, RegExp][] = [
      ['a file that exists', create('README.md'), FileExistsError, /^repository file already exists \[path: README\.md\]$/],
      ['a file where a folder is', create('dir'), InvalidPathError, /a directory exists .* \[path: dir\]$/],
      ['a file below a file', create('README.md/below'), InvalidPathError, /a file exists .* \[path: README\.md\]$/],
      ['a file over a link', { ...create('dir/link'), operation: 'upload' }, InvalidPathError, /a symbolic link exists/],
      ['a file where a submodule is', create('module'), FileExistsError, /\[path: module\]/],
      ['a file below a submodule', create('module/below'), InvalidPathError, /a file exists .* \[path: module\]$/],
      ['a deletion below nothing', { operation: 'delete', path: 'missing/below' }, FileNotFoundError, /\[id: , rel_path: missing\]$/],
      ['a deletion below a file', { operation: 'delete', path: 'README.md/below' }, FileNotFoundError, /\[id: \w{40}, rel_path: \]$/],
      ['an update of nothing', { ...create('missing'), operation: 'update', sha: '1'.repeat(40) }, FileNotFoundError, /rel_path: missing/],
      ['a deletion of nothing', { operation: 'delete', path: 'missing' }, FileNotFoundError, /rel_path: missing/],
      ['a deletion of a folder', { operation: 'delete', path: 'dir' }, InvalidPathError, /a directory is not a file/],
      [
        'a wrong blob',
        { operation: 'delete', path: 'README.md', sha: '1'.repeat(40) },
        ShaMismatchError,
        /^sha does not match \[given: 1+, expected: \w+\]$/,
      ],
      ['a move onto a file', { ...create('README.md'), operation: 'update', fromPath: 'run.sh' }, FileExistsError, /README/],
    ];
    for (const [what, file, kind, message] of refused)
      it(`refuses ${what}, and then changes nothing at all`, async () => {
        const objects = readdirSync(join(repository.path, 'objects'), { recursive: true }).length;
        const main = git(repository, ['rev-parse', 'main']);
        await assert.rejects(change([create('half.txt', `half ${what}`), file]), (error: Error) => {
          assert(error instanceof kind, String(error));
          assert.match(error.message, message);
          return true;
        });
        assert.equal(git(repository, ['rev-parse', 'main']), main);
        assert.equal(readdirSync(join(repository.path, 'objects'), { recursive: true }).length, objects);
      });

    for (const path of [
      '',
      '/',
      '.',
      '..',
      'a/../..',
      '.git/config',
      'a/.GIT/x',
      '.git.',
      'git~1',
      '.git\u200c',
      'a\\.git\\x',
      '.git::$INDEX',
      'a\0b',
      'a\nb',
      'x'.repeat(256),
    ])
      it(`refuses the path ${JSON.stringify(path.slice(0, 20))}`, async () => {
        await assert.rejects(change([create(path)]), InvalidPathError);
        await assert.rejects(change([{ operation: 'rename', path: 'z', fromPath: path || '.' }]), InvalidPathError);
      });

    it('cleans the paths it takes', async () => {
      await change([create('//tidy/./x/../clean.txt/')]);
      assert.equal(git(repository, ['show', 'main:tidy/clean.txt']), 'x');
    });

    it('refuses two files of one request that are in each other’s way', async () => {
      await assert.rejects(change([create('p'), create('p/q')]), InvalidPathError);
      await assert.rejects(change([create('p/q'), create('p')]), InvalidPathError);
      await assert.rejects(change([create('p'), create('p')]), FileExistsError);
    });

    it('removes a file once, and puts one where a submodule was', async () => {
      const remove: FileChange = { operation: 'delete', path: 'twice' };
      await change([create('twice')]);
      await change([remove, remove, { ...create('module'), operation: 'update' }]);
      const files = filesOf(repository, 'main');
      assert(!('100644 twice' in files) && '100644 module' in files);
    });

    it('removes a folder when asked to, and leaves no empty one', async () => {
      await change([create('deep/er/one'), create('deep/er/two'), create('deeper')]);
      await change([{ operation: 'delete', path: 'deep/er/one' }]);
      await change([{ operation: 'delete', path: 'deep', recursive: true }]);
      assert.deepEqual(
        Object.keys(filesOf(repository, 'main')).filter((name) => name.includes('deep')),
        ['100644 deeper'],
      );
      requireSound(repository);
    });

    it('refuses a branch that does not exist', async () => {
      await assert.rejects(change([create('x')], { branch: 'missing' }), BranchNotFoundError);
    });

    it('asks before it writes', async () => {
      const main = git(repository, ['rev-parse', 'main']);
      const check = async () => {
        throw new Error('protected');
      };
      await assert.rejects(change([create('asked.txt')], { check }), /protected/);
      assert.equal(git(repository, ['rev-parse', 'main']), main);
    });

    it('stores what a content is converted to', async () => {
      const convert: ContentConverter = {
        write: async (path, content) => Buffer.from(`${path} ${content.length}\n`),
        move: async ({ from, to, oid }) => (to === 'moved.bin' ? Buffer.from(`${from} ${oid.length}\n`) : undefined),
      };
      await change([create('large.bin', '12345')], { convert });
      assert.equal(git(repository, ['show', 'main:large.bin']), 'large.bin 5');
      await change([{ operation: 'rename', path: 'moved.bin', fromPath: 'large.bin' }], { convert });
      assert.equal(git(repository, ['show', 'main:moved.bin']), 'large.bin 40');
      await change([{ operation: 'rename', path: 'again.bin', fromPath: 'moved.bin' }], { convert });
      assert.equal(git(repository, ['show', 'main:again.bin']), 'large.bin 40');
      await assert.rejects(change([{ operation: 'rename', path: 'moved.bin', fromPath: 'none' }], { convert }), FileNotFoundError);
    });

    it('is retried on top when the branch moves between the checks and the commit', async () => {
      const other = git(repository, ['commit-tree', '-p', 'main', '-m', 'Other', 'main^{tree}']);
      const seen: (string | null)[] = [];
      const check = async ({ parent }: PreparedChange) => {
        if (seen.push(parent) === 1) git(repository, ['update-ref', 'refs/heads/main', other]);
      };
      const { parent } = await change([create('on-top.txt')], { check });
      assert.equal(parent, other);
      assert.deepEqual([seen.length, seen[1]], [2, other]);
    });

    it('reads through the pool of git processes', async () => {
      await using stack = new AsyncDisposableStack();
      const objects = stack.adopt(new GitPool(), (pool) => pool.close());
      await change([create('dir/pooled.txt')], { objects });
      assert.equal(git(repository, ['show', 'main:dir/pooled.txt']), 'x');
    });

    it('compares with the commit the caller has seen', async () => {
      const lastCommit = git(repository, ['rev-parse', 'main']);
      await change([{ ...create('README.md', 'changed\n'), operation: 'update' }]);
      await assert.rejects(change([{ ...create('README.md'), operation: 'update' }], { lastCommit }), CommitMismatchError);
      await change([{ ...create('run.sh'), operation: 'update' }], { lastCommit });
    });

    it('loses no update of eight writers at once', async () => {
      const before = Number(git(repository, ['rev-list', '--count', 'main']));
      await Promise.all(Array.from({ length: 8 }, (_, number) => change([create(`many/${number}.txt`)])));
      assert.equal(Number(git(repository, ['rev-list', '--count', 'main'])), before + 8);
      assert.equal(git(repository, ['ls-tree', '--name-only', 'main:many']).split('\n').length, 8);
      requireSound(repository);
    });
  });
});
