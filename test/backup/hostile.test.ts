// On SQLite alone: backups are read in the same way whatever they are restored into.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { before, describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { backupsIn } from '../../src/backup/make/folder-sink.ts';
import { verified } from '../../src/backup/restore/open.ts';
import { Instance, scratch } from './support.ts';

const source = await Instance.empty('sqlite');
/** A whole backup. */
let original = '';

before(async () => {
  await source.start();
  const alice = await source.user('alice', true);
  await alice.must('POST', '/user/repos', { name: 'code', auto_init: true });
  await source.stop();
  const folder = join(await scratch(), 'backups');
  await source.must('backup', '--to', folder);
  original = join(folder, (await backupsIn(folder))[0] ?? '');
});

/** Restores a copy of the backup that was changed; returns the error, and checks that nothing came of it that is served. */
async function restored(change: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(await scratch(), 'backup');
  await cp(original, folder, { recursive: true });
  await change(folder);
  const target = await Instance.empty('sqlite');
  const { code, stderr } = await target.run('restore', '--from', folder);
  assert.equal(code, 1);
  assert.ok(!existsSync(join(folder, '../escaped')) && !existsSync(join(target.dataDir, '../escaped')));
  return stderr.trim().replace(/^copse restore: /, '');
}

/** Writes the list of files again, with digests that fit. */
async function relist(folder: string, change: (files: Record<string, unknown>[]) => void): Promise<void> {
  const text = zstdDecompressSync(await readFile(join(folder, 'files.jsonl.zst'))).toString();
  const files = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  change(files);
  const list = zstdCompressSync(`${files.map((file) => JSON.stringify(file)).join('\n')}\n`);
  await writeFile(join(folder, 'files.jsonl.zst'), list);
  const { counts } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  await edit(folder, { files: hash('sha256', list), counts: { ...counts, files: files.length } });
}

async function edit(folder: string, values: Record<string, unknown>): Promise<void> {
  const path = join(folder, 'manifest.json');
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...values }));
}

const evil = (path: string, text: string) => ({ path, size: text.length, modified: 0, sha256: hash('sha256', text) });

describe('a backup that is damaged or hostile', () => {
  it('is refused when a byte of it is another one', async () => {
    const table = 'database/users.jsonl.zst';
    const flip = async (folder: string) => {
      const bytes = await readFile(join(folder, table));
      bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
      await writeFile(join(folder, table), bytes);
    };
    assert.match(await restored(flip), /damaged|checksum|Data corruption|Restored data|ZSTD/i);
    assert.match(
      await restored((folder) => writeFile(join(folder, 'data/secret.key'), 'x'.repeat(65))),
      /^data\/secret.key is damaged in the backup$/,
    );
    assert.match(await restored((folder) => rm(join(folder, 'data/secret.key'))), /^data\/secret.key is missing in the backup$/);
    assert.match(
      await restored((folder) => writeFile(join(folder, 'files.jsonl.zst'), '')),
      /^the list of files of the backup is damaged$/,
    );
  });

  it('is refused when a newer version has made it', async () => {
    assert.match(await restored((folder) => edit(folder, { format: 2, version: '9.0' })), /made by a newer version \(9\.0\)/);
    assert.match(await restored((folder) => edit(folder, { migrations: ['0001-platform', '9999-later'] })), /made by a newer version/);
    assert.match(await restored((folder) => writeFile(join(folder, 'manifest.json'), '{')), /cannot be read/);
  });

  it('leads neither to other folders nor through links', async () => {
    for (const path of [
      '../escaped',
      'data/../../escaped',
      'repositories/1.git/config',
      'repositories/1.git/hooks/update',
      'blobs/attachments/../../x',
      '/etc/x',
    ])
      assert.match(
        await restored((folder) => relist(folder, (files) => files.push(evil(path, 'text')))),
        /^the backup has a file that belongs to nothing: /,
        path,
      );
    const linked = async (folder: string) => {
      await rename(join(folder, 'data'), join(folder, 'elsewhere'));
      await symlink('elsewhere', join(folder, 'data'));
    };
    assert.match(await restored(linked), /behind a symbolic link$/);
    const link = async (folder: string) => {
      await rm(join(folder, 'data/secret.key'));
      await symlink('/etc/hostname', join(folder, 'data/secret.key'));
    };
    assert.match(await restored(link), /^data\/secret.key of the backup is a symbolic link$/);
    const missing = {
      ...evil(`repositories/1.git/objects/aa/${'b'.repeat(38)}`, ''),
      link: `repositories/1.git/objects/cc/${'d'.repeat(38)}`,
    };
    assert.match(await restored((folder) => relist(folder, (files) => files.push(missing))), /a link to a file that is not in it/);
  });

  it('fills no disk: what has no room is refused before it is written, and no file is read past its end', async () => {
    const huge = (folder: string) =>
      relist(folder, (files) => {
        for (const file of files) if (file.path === 'data/secret.key') file.size = 2 ** 50;
      });
    assert.match(await restored(huge), /^there is no room for 1125899906842624 bytes more of the backup in /);
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
    );
    const file = { path: 'data/secret.key', size: 64, modified: 0, sha256: '', open: async () => endless };
    const reading = verified(file, async (content) => {
      for await (const _chunk of content);
    });
    await assert.rejects(reading, /^BackupError: data\/secret.key is damaged in the backup$/);
    const more = (folder: string) => relist(folder, (files) => files.push(...files.map((file) => ({ ...file, path: `${file.path}` }))));
    const count = async (folder: string) => {
      const { counts } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
      await more(folder);
      await edit(folder, { counts });
    };
    assert.match(await restored(count), /^the backup has more files instead of \d+$/);
  });

  it('is refused as an archive with other entries than files', async () => {
    const folder = await scratch();
    for (const header of [
      { name: '../escaped' },
      { name: 'data/secret.key', type: 'symlink', linkname: '/etc/hostname' },
      { name: 'data/secret.key', type: 'link', linkname: '/etc/hostname' },
    ] as const) {
      const archive = pack();
      const path = join(folder, 'evil.tar');
      if ('linkname' in header) archive.entry(header);
      else archive.entry(header, 'text');
      archive.finalize();
      await pipeline(archive as unknown as Readable, createWriteStream(path));
      const target = await Instance.empty('sqlite');
      const { code, stderr } = await target.run('restore', '--from', path);
      assert.equal(code, 1);
      assert.match(stderr, /belongs to nothing|is not a file|a link to a file that is not in it/);
    }
  });

  it('is restored by another attempt after one that was cut off, and not served before', async () => {
    const folder = join(await scratch(), 'backup');
    await cp(original, folder, { recursive: true });
    const key = await readFile(join(folder, 'data/secret.key'));
    await writeFile(join(folder, 'data/secret.key'), 'x');
    const target = await Instance.empty();
    assert.equal((await target.run('restore', '--from', folder)).code, 1);
    await assert.rejects(target.start(), /a backup has not been restored to its end/);
    await writeFile(join(folder, 'data/secret.key'), key);
    await target.must('restore', '--from', folder);
    await target.start();
    assert.equal((await target.as('alice').get('/repos/alice/code/branches')).json.length, 1);
  });
});
