/* `killed.ts CONFIG STEP ROWS`: imports a Gitea into the Copse of the environment, and kills itself when a step has come so far. */
import { internalContext } from '../../src/context.ts';
import { readGiteaSettings } from '../../src/import/gitea/config/app-ini.ts';
import { importGitea } from '../../src/import/gitea/import.ts';
import { openSource } from '../../src/import/gitea/source/open.ts';
import { createLogger } from '../../src/log.ts';
import { openServices } from '../../src/server.ts';
import { loadSettings } from '../../src/settings.ts';

const [config = '', step = '', rows = ''] = process.argv.slice(2);
const gitea = readGiteaSettings(config);
const settings = loadSettings({ environment: process.env });
const services = await openServices(settings, createLogger({ ...settings.log, level: 'silent' }));
const run = { context: internalContext(services), source: await openSource(gitea), settings: gitea, isDryRun: false };
await importGitea(run, (progress) => {
  if (progress.step === step && progress.rows >= Number(rows)) process.kill(process.pid, 'SIGKILL');
});
