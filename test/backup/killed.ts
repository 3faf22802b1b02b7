import { makeBackup } from '../../src/backup/make/backup.ts';
import { openSink } from '../../src/backup/make/open-sink.ts';
import { internalContext } from '../../src/context.ts';
import { createLogger } from '../../src/log.ts';
import { openServices } from '../../src/server.ts';
import { loadSettings } from '../../src/settings.ts';

/* Makes a backup in the folder that is named, in a process that kills itself when the first blobs have been copied. */

const settings = loadSettings({ environment: process.env });
const services = await openServices(settings, createLogger({ ...settings.log, level: 'silent' }));
const { sink, index } = await openSink(process.argv[2] ?? '');
await makeBackup(internalContext(services), sink, index, (what) => {
  if (what === 'blobs') process.kill(process.pid, 'SIGKILL');
});
