import { openBackup } from '../backup/restore/open.ts';
import { restoreBackup } from '../backup/restore/restore.ts';
import { loadSettings } from '../settings.ts';
import { printProgress } from './backup.ts';
import { offlineTask } from './task.ts';

/** `copse restore`. */
export const restore = offlineTask(
  'copse restore',
  'Restores a backup into an empty data folder, database and storage. What was interrupted goes on when it is run again.',
  { from: { type: 'string', required: true, meaning: 'The backup: a folder, a folder of several (then the latest), or an archive.' } },
  async (values, terminal) => {
    const settings = loadSettings({ environment: terminal.environment });
    const reader = await openBackup(values.from);
    try {
      const { createdAt, counts } = await restoreBackup(settings, reader, printProgress(terminal));
      return `restored ${counts.repositories} repositories and ${counts.blobs} blobs of ${createdAt}`;
    } finally {
      await reader.close();
    }
  },
);
