// On SQLite alone: blobs are the same beside either database.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startS3Server, withoutS3 } from '../support/s3-server.ts';
import { fill } from './fill.ts';
import { differences, Instance, scratch } from './support.ts';

const skip = withoutS3();
const s3 = skip ? undefined : await startS3Server();
after(() => s3?.close());

/** The settings of an instance whose blobs are in the bucket under a prefix. */
const inBucket = (prefix: string) => ({ storage: { type: 's3', avatars: 'disk' }, s3: { ...s3?.settings, prefix } }) as const;

describe('copse backup of an instance whose blobs are in S3', { skip }, () => {
  it('is restored to a disk, and from there to S3', async () => {
    const source = await Instance.empty('sqlite', inBucket('one'));
    await source.start();
    const { paths } = await fill(source);
    await source.settled();
    const expected = await source.responses('alice', paths);
    const folder = join(await scratch(), 'backups');
    await source.must('backup', '--to', folder);
    assert.match(await source.must('backup', '--to', folder), /0\.0 MiB of them new/);
    const onDisk = await Instance.empty('sqlite');
    await onDisk.must('restore', '--from', folder);
    await onDisk.start();
    assert.deepEqual(differences(await onDisk.responses('alice', paths), expected), []);
    const archive = join(await scratch(), 'backup.tar');
    await onDisk.must('backup', '--to', archive);
    const target = await Instance.empty('sqlite', inBucket('two'));
    await target.must('restore', '--from', archive);
    await target.start();
    assert.deepEqual(differences(await target.responses('alice', paths), expected), []);
    const taken = await Instance.empty('sqlite', inBucket('one'));
    assert.match((await taken.run('restore', '--from', archive)).stderr, /the storage is not empty: it has /);
  });
});
