import { createLogger } from '../log.ts';
import { returnMemory } from '../processes/return-memory.ts';
import { startServer } from '../server.ts';
import { loadSettings } from '../settings.ts';
import { warmUp } from '../warm-up.ts';
import { startLocalRunner } from './local-runner.ts';
import { startFailure } from './start-failure.ts';
import { type Command, HELP } from './words.ts';

const USAGE = 'Usage: copse serve\n\nServes with the settings of the environment and the settings file; see docs/settings.md.\n';

/** `copse serve`: the server, until SIGTERM or SIGINT. */
export const serve: Command = {
  summary: 'Serves until it is told to stop.',
  async run(args, terminal) {
    if (args.some((word) => HELP.includes(word))) {
      terminal.out(USAGE);
      return 0;
    }
    if (args.length > 0) {
      terminal.error(`copse serve: unknown option ${args[0]}; settings such as COPSE_PORT come from the environment\n\n${USAGE}`);
      return 2;
    }
    try {
      const settings = loadSettings({ environment: terminal.environment });
      const log = createLogger(settings.log);
      const stop = stopSignal();
      const server = await startServer(settings, log, { beforeListening: stop.watch });
      log.info({ url: server.url, dataDir: settings.server.dataDir }, 'serving');
      const runner = startLocalRunner(server, log);
      const stopping = new AbortController();
      warmUp(stopping.signal).catch((err: unknown) => log.error({ err }, 'what is warmed up after the start failed'));
      void returnMemory(stopping.signal);
      const signal = await stop.received;
      log.info({ signal }, 'stopping');
      stopping.abort();
      // Its last reports need the server.
      await runner.close();
      await server.close();
      return 0;
    } catch (error) {
      terminal.error(`copse: ${startFailure(error)}\n`);
      return 1;
    }
  },
};

/** The first signal to stop since `watch` was called; before that, a signal ends the process at once, since nothing is served. */
function stopSignal(): { watch: () => void; received: Promise<string> } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const watch = () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  };
  return { watch, received: promise };
}
