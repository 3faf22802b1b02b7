import { loadSettings } from '../settings.ts';
import { BLOB_KINDS, type BlobKind } from '../storage/by-kind.ts';
import { migrateStorage } from '../storage/migrate.ts';
import { openStorageOfType, type StorageType } from '../storage/open.ts';
import { progressBar } from './progress-bar.ts';
import { type Option, offlineTask, UsageError } from './task.ts';
import { words } from './words.ts';

const OPTIONS = {
  from: { type: 'string', required: true, meaning: 'The storage that has the blobs: disk or s3.' },
  to: { type: 'string', required: true, meaning: 'The storage that gets them: disk or s3.' },
  kinds: { type: 'string', meaning: `Only these, separated by commas: ${BLOB_KINDS.join(', ')}.` },
  remove: { type: 'boolean', meaning: 'Remove from the first storage what is safe in the second one.' },
} as const satisfies Record<string, Option>;

const migrate = offlineTask(
  'copse storage migrate',
  'Copies attachments, packages and other uploads to another storage, also while the server runs.',
  OPTIONS,
  async (values, terminal) => {
    const settings = loadSettings({ environment: terminal.environment });
    const [from, to] = [storageType('from', values.from), storageType('to', values.to)];
    if (from === to) throw new UsageError('--from and --to are the same storage');
    if ([from, to].includes('s3') && settings.s3.bucket === null) throw new UsageError('s3.bucket is not set');
    const kinds = values.kinds === undefined ? BLOB_KINDS : kindsOf(values.kinds);
    const print = progressBar(terminal);
    const result = await migrateStorage(await openStorageOfType(settings, from), await openStorageOfType(settings, to), {
      kinds,
      remove: values.remove,
      onProgress: ({ done, total, bytes }) => print(done, total, `${done} of ${total} blobs, ${Math.floor(bytes / 2 ** 20)} MiB copied`),
    });
    return `${result.done} blobs are in ${to}; ${result.copied} were copied, ${result.bytes} bytes`;
  },
);

/** `copse storage`. */
export const storage = words('copse storage', 'Moves attachments, packages and other uploads between storages.', { migrate });

function storageType(option: string, value: string): StorageType {
  if (value !== 'disk' && value !== 's3') throw new UsageError(`--${option} has to be disk or s3`);
  return value;
}

function kindsOf(value: string): BlobKind[] {
  return value.split(',').map((word) => {
    const kind = BLOB_KINDS.find((each) => each === word.trim());
    if (kind === undefined) throw new UsageError(`--kinds: ${word.trim()} is not one of ${BLOB_KINDS.join(', ')}`);
    return kind;
  });
}
