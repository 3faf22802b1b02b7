import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runGit } from '../../../src/git/processes/process.ts';
import { isObjectFormat, OBJECT_FORMATS, objectIdLength } from '../../../src/git/repository.ts';

describe('object formats', () => {
  it('are all understood by the git program, whose default comes first', async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'formats-'));
    t.after(() => rm(folder, { recursive: true }));
    const formatOf = async (name: string, ...options: string[]) => {
      const repository = path.join(folder, name);
      await runGit(['init', '--quiet', '--bare', ...options, repository]);
      const { stdout } = await runGit(['rev-parse', '--show-object-format'], { cwd: repository });
      return stdout.toString('utf8').trim();
    };
    assert.equal(await formatOf('default'), OBJECT_FORMATS[0]);
    for (const format of OBJECT_FORMATS) {
      assert.equal(await formatOf(format, `--object-format=${format}`), format);
      const { stdout } = await runGit(['hash-object', '--stdin'], { cwd: path.join(folder, format), input: 'x' });
      assert.equal(stdout.toString('utf8').trim().length, objectIdLength(format));
    }
  });

  it('are known by their exact name', () => {
    assert.ok(isObjectFormat('sha256'));
    for (const name of ['', 'SHA1', 'blake3-long', 'sha']) assert.ok(!isObjectFormat(name), name);
  });
});
