import { loadSettings } from '../settings.ts';
import { BLOB_KINDS, type BlobKind } from '../storage/by-kind.ts';
import { type MigrationProgress, migrateStorage } from '../storage/migrate.ts';
import { openStorageOfType, type StorageType } from '../storage/open.ts';
import { type Option, offlineTask, UsageError } from './task.ts';
import { type Terminal, words } from './words.ts';

const OPTIONS = {
  from: { type: 'string', required: true, meaning: 'The storage that has the blobs: disk or s3.' },
  to: { type: 'string', required: true, meaning: 'The storage that gets them: disk or s3.' },
  kinds: { type: 'string', meaning: `Only these, separated by commas: ${BLOB_KINDS.join(', ')}.` },
  remove: { type: 'boolean', meaning: 'Remove from the first storage what is safe in the second one.' },
} as const satisfies Record<string, Option>;

/** Milliseconds between two lines of progress. */
const PROGRESS_STEP = 1000;

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
    const result = await migrateStorage(await openStorageOfType(settings, from), await openStorageOfType(settings, to), {
      kinds,
      remove: values.remove,
      onProgress: printProgress(terminal),
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

function printProgress(terminal: Terminal): (progress: MigrationProgress) => void {
  let printed = 0;
  return ({ done, total, bytes }) => {
    if (performance.now() - printed < PROGRESS_STEP) return;
    printed = performance.now();
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
    const bar = '#'.repeat(Math.floor(percent / 5)).padEnd(20, '.');
    terminal.out(`[${bar}] ${String(percent).padStart(3)}% ${done} of ${total} blobs, ${Math.floor(bytes / 2 ** 20)} MiB copied\n`);
  };
}
