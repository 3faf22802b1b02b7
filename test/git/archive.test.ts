import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { type ArchiveOptions, createArchive, parseArchiveName } from '../../src/git/archive.ts';
import { GitPool } from '../../src/git/objects/objects.ts';
import { GitOutputLimitError, runGit } from '../../src/git/processes/process.ts';
import { createFixture, type Fixture } from './fixture.ts';

const pool = new GitPool();
after(() => pool.close());

const FILES = { 'a.txt': 'a', 'src/b.txt': 'b', 'src/*.txt': 'star', '.gitattributes': 'secret export-ignore\n', secret: 's' };

async function names(fixture: Fixture, options: ArchiveOptions): Promise<string[]> {
  const stream = await createArchive(fixture.repository, pool, fixture.id('one'), options);
  assert.ok(stream);
  const bytes = await buffer(stream);
  const entries: string[] = [];
  const tar = extract();
  tar.end(options.format === 'tar.gz' ? gunzipSync(bytes) : bytes);
  for await (const entry of tar) {
    entries.push(entry.header.name);
    entry.resume();
  }
  return entries;
}

describe('archives', () => {
  it('hold the files of a commit, below a folder', async () => {
    await using fixture = await createFixture([{ label: 'one', files: FILES }]);
    const all = ['demo/', 'demo/.gitattributes', 'demo/a.txt', 'demo/src/', 'demo/src/*.txt', 'demo/src/b.txt'];
    assert.deepEqual(await names(fixture, { format: 'tar', prefix: 'demo' }), all);
    assert.deepEqual(await names(fixture, { format: 'tar.gz', prefix: 'demo/' }), all);
    assert.deepEqual(await names(fixture, { format: 'tar', prefix: '-x', paths: ['a.txt'] }), ['-x/', '-x/a.txt']);
    assert.deepEqual(await names(fixture, { format: 'tar', paths: ['src/*.txt'] }), ['src/', 'src/*.txt']);
    assert.deepEqual(
      await names(fixture, { format: 'tar', paths: [''] }),
      all.slice(1).map((name) => name.slice(5)),
    );
  });

  it('have the same bytes every time', async () => {
    await using fixture = await createFixture([{ label: 'one', files: FILES }]);
    const make = async (format: 'zip' | 'tar.gz') =>
      buffer((await createArchive(fixture.repository, pool, fixture.id('one'), { format })) ?? assert.fail());
    const [zip, tar] = [await make('zip'), await make('tar.gz')];
    await new Promise((resolve) => setTimeout(resolve, 1100));
    assert.deepEqual([await make('zip'), await make('tar.gz')], [zip, tar]);
    assert.deepEqual(
      [zip, tar].map((bytes) => bytes.subarray(0, 2).toString('latin1')),
      ['PK', '\x1f\x8b'],
    );
  });

  it('are the same when git writes them into a file first, which leaves nothing', async () => {
    await using fixture = await createFixture([{ label: 'one', files: FILES }]);
    const { repository } = fixture;
    const make = async (options: ArchiveOptions) => createArchive(repository, pool, fixture.id('one'), options);
    const bytes = async (isSpooled: boolean) => buffer((await make({ format: 'zip', prefix: 'demo', isSpooled })) ?? assert.fail());
    assert.deepEqual(await bytes(true), await bytes(false));
    await assert.rejects(make({ format: 'zip', isSpooled: true, maxOutput: 20 }), GitOutputLimitError);
    const left = (await readdir(join(repository.path, 'objects'))).filter((name) => name.startsWith('tmp_'));
    assert.deepEqual(left, []);
  });

  for (const objectFormat of ['sha1', 'sha256'] as const) {
    it(`as a bundle hold the history (${objectFormat})`, async () => {
      await using fixture = await createFixture(
        [
          { label: 'zero', files: { z: '1' } },
          { label: 'one', files: FILES },
        ],
        { objectFormat },
      );
      const bundle = await buffer(
        (await createArchive(fixture.repository, pool, fixture.id('one'), { format: 'bundle' })) ?? assert.fail(),
      );
      const folder = await mkdtemp(join(tmpdir(), 'copse-bundle-'));
      try {
        await writeFile(join(folder, 'a.bundle'), bundle);
        await runGit(['clone', '-q', '--bare', 'a.bundle', 'clone'], { cwd: folder });
        const log = await runGit(['log', '--format=%H %D', '--first-parent'], { cwd: join(folder, 'clone') });
        assert.equal(log.stdout.toString(), `${fixture.id('one')} HEAD -> bundle\n${fixture.id('zero')} \n`);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }

  it('are refused for what is not there', async () => {
    await using fixture = await createFixture([{ label: 'one', files: FILES }]);
    const create = (oid: string, options: ArchiveOptions) => createArchive(fixture.repository, pool, oid, options);
    assert.equal(await create('f'.repeat(40), { format: 'zip' }), undefined);
    assert.equal(await create('main', { format: 'zip' }), undefined);
    for (const path of ['missing', '../a.txt', '--output=/tmp/x', ':(top)a.txt'])
      assert.equal(await create(fixture.id('one'), { format: 'zip', paths: [path] }), undefined);
    await assert.rejects(create(fixture.id('one'), { format: 'bundle', paths: ['a.txt'] }), TypeError);
  });

  it('are named by revision and format', () => {
    assert.deepEqual(parseArchiveName('v1.0.tar.gz'), { revision: 'v1.0', format: 'tar.gz' });
    assert.deepEqual(parseArchiveName('topic/a.zip'), { revision: 'topic/a', format: 'zip' });
    assert.deepEqual(parseArchiveName('main.bundle'), { revision: 'main', format: 'bundle' });
    for (const name of ['main', 'main.rar', 'main.tgz', 'zip', '']) assert.equal(parseArchiveName(name), undefined);
  });
});
