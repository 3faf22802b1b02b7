import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCommand, RefusedCommandError } from '../../src/ssh/command.ts';

// On SQLite alone: nothing here has a database.
describe('a command over SSH', () => {
  const service = (name: string, owner: string, repository: string, operation = '') => ({
    ...{ kind: 'service', name, owner, repository, operation },
  });

  it('is read as a shell would split it', () => {
    assert.deepEqual(parseCommand(''), { kind: 'greeting' });
    assert.deepEqual(parseCommand('ssh_info'), { kind: 'info' });
    for (const path of ["'/alice/demo.git'", 'alice/demo.git', '"alice/demo.git"', "al'ice'/demo'.'git", 'alice\\/demo.git']) {
      const { kind, name, owner, repository } = parseCommand(`git-upload-pack  ${path}`) as ReturnType<typeof service>;
      assert.deepEqual([kind, name, owner, repository], ['service', 'git-upload-pack', 'alice', 'demo.git'], path);
    }
    const lfs = parseCommand("git-lfs-authenticate 'alice/demo.git' download abc");
    assert.deepEqual(lfs, service('git-lfs-authenticate', 'alice', 'demo.git', 'download'));
  });

  it('is refused where it is odd', () => {
    const odd = [
      "'",
      '"',
      '\\',
      'git-upload-pack',
      "x '/a'",
      'x a/b/c',
      'x a/$(id)',
      'x a/..\\;id',
      'x\na/b',
      'x a/\0b',
      `x ${'a/'.repeat(9000)}`,
    ];
    for (const text of odd) assert.throws(() => parseCommand(text), RefusedCommandError, text);
    assert.throws(() => parseCommand('x '.repeat(20)), RefusedCommandError);
  });

  it('takes no longer for hostile quotes', () => {
    assert.throws(() => parseCommand(`${'"\\'.repeat(8000)}`), RefusedCommandError);
    assert.throws(() => parseCommand(`${"'a'".repeat(5000)} '`), RefusedCommandError);
  });
});
