import { type BackupResult, makeBackup, type OnProgress } from '../backup/make/backup.ts';
import { openSink, removeOldBackups } from '../backup/make/open-sink.ts';
import { recordBackup } from '../backup/make/record.ts';
import { openBackup, verifyBackup } from '../backup/restore/open.ts';
import { progressBar } from './progress-bar.ts';
import { type Option, offlineTask, task, UsageError } from './task.ts';
import type { Command, Terminal } from './words.ts';

const OPTIONS = {
  to: { type: 'string', required: true, meaning: 'A folder that gets a backup beside earlier ones, or a new FILE.tar or FILE.tar.zst.' },
  keep: { type: 'string', meaning: 'Remove the oldest backups of the folder, so that this many are left.' },
} as const satisfies Record<string, Option>;

/** Lost blobs that are named; the others are counted. */
const MAX_NAMED = 20;

const make = task(
  'copse backup',
  'Copies a running instance: database, repositories, uploads, keys. See also copse backup verify.',
  OPTIONS,
  async (context, values, terminal) => {
    const keep = keepOf(values.keep, values.to);
    const { sink, index, close } = await openSink(values.to);
    let result: BackupResult | undefined;
    try {
      result = await makeBackup(context, sink, index, printProgress(terminal));
    } finally {
      await close(result !== undefined);
    }
    await recordBackup(context, result);
    const removed = keep === undefined ? [] : await removeOldBackups(values.to, keep);
    printWarnings(terminal, result);
    return summaryOf(result, removed.length);
  },
);

const verify = offlineTask(
  'copse backup verify',
  'Reads a backup, and compares the digest of each file.',
  { from: { type: 'string', required: true, meaning: 'The backup: a folder or an archive. The option may be left out before it.' } },
  async (values, terminal) => {
    const reader = await openBackup(values.from);
    try {
      const files = await verifyBackup(reader, printProgress(terminal));
      return `${files} files of ${reader.manifest.createdAt} are as they were backed up`;
    } finally {
      await reader.close();
    }
  },
);

/** `copse backup` and `copse backup verify`. */
export const backup: Command = {
  summary: make.summary,
  run: ([first, ...rest], terminal) => {
    if (first !== 'verify') return make.run(first === undefined ? [] : [first, ...rest], terminal);
    return verify.run(rest[0]?.startsWith('-') === false ? ['--from', ...rest] : rest, terminal);
  },
};

function keepOf(value: string | undefined, to: string): number | undefined {
  if (value === undefined) return undefined;
  if (/\.tar(\.zst)?$/.test(to)) throw new UsageError('--keep is for folders');
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new UsageError('--keep has to be a number from 1 on');
  return Number(value);
}

function printWarnings(terminal: Terminal, { lost, leftOut }: BackupResult): void {
  for (const key of lost.slice(0, MAX_NAMED)) terminal.error(`not in the storage, although a row names it: ${key}\n`);
  if (lost.length > MAX_NAMED) terminal.error(`and ${lost.length - MAX_NAMED} more\n`);
  for (const name of leftOut) terminal.error(`left out, as it belongs to no part of Copse: ${name} in the data folder\n`);
}

function summaryOf({ path, manifest, transferred }: BackupResult, removed: number): string {
  const { repositories, blobs, files, bytes } = manifest.counts;
  const parts = `${repositories} repositories, ${blobs} blobs, ${files} files of ${mebibytes(bytes)}, ${mebibytes(transferred)} of them new`;
  return `${path}: ${parts}${removed > 0 ? `; removed ${removed} older` : ''}`;
}

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Progress as lines on a terminal. */
export function printProgress(terminal: Terminal): OnProgress {
  const print = progressBar(terminal);
  return (what, done, total) => print(done, total, `${what}: ${done} of ${total}`);
}
