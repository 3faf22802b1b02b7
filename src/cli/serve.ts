import { FolderInUseError } from '../database/folder-lock.ts';
import { createLogger } from '../log.ts';
import { startServer } from '../server.ts';
import { loadSettings, SettingsError } from '../settings.ts';
import type { Command } from './words.ts';

/** `copse serve`: the server, until SIGTERM or SIGINT. */
export const serve: Command = {
  summary: 'Serves until it is told to stop.',
  async run(args, terminal) {
    if (args.includes('--help')) {
      terminal.out('Usage: copse serve\n\nServes with the settings of the environment and the settings file; see docs/settings.md.\n');
      return 0;
    }
    try {
      const settings = loadSettings({ environment: terminal.environment });
      const log = createLogger(settings.log);
      const server = await startServer(settings, log);
      log.info({ url: server.url, dataDir: settings.server.dataDir }, 'serving');
      const signal = await stopSignal();
      log.info({ signal }, 'stopping');
      await server.close();
      return 0;
    } catch (error) {
      const isForeseen = error instanceof SettingsError || error instanceof FolderInUseError;
      terminal.error(`copse: ${isForeseen ? error.message : (error as Error).stack}\n`);
      return 1;
    }
  },
};

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
