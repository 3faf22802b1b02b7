import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internalContext } from '../context.ts';
import { lockFolder } from '../database/folder-lock.ts';
import { readGiteaSettings } from '../import/gitea/config/app-ini.ts';
import { type ImportResult, importGitea, type Progress } from '../import/gitea/import.ts';
import { openSource } from '../import/gitea/source/open.ts';
import { createLogger } from '../log.ts';
import { closeServices, openServices } from '../server.ts';
import { loadSettings, type Settings } from '../settings.ts';
import { diskStorage } from '../storage/open.ts';
import { progressBar } from './progress-bar.ts';
import { type Option, offlineTask } from './task.ts';
import type { Terminal } from './words.ts';

const OPTIONS = {
  config: { type: 'string', required: true, meaning: 'The app.ini of the Gitea, which has to be stopped.' },
  'work-path': { type: 'string', meaning: 'The folder at which relative paths of that file begin.' },
  'dry-run': { type: 'boolean', meaning: 'Only report what cannot be imported. Nothing is changed.' },
} as const satisfies Record<string, Option>;

/** Findings that are printed; the others are counted. */
const MAX_PRINTED = 10_000;

/** `copse import gitea`: makes a Copse of a stopped Gitea. */
export const importGiteaCommand = offlineTask(
  'copse import gitea',
  'Imports a stopped Gitea into an empty Copse, with its ids. What was interrupted goes on when it is run again.',
  OPTIONS,
  async (values, terminal) => {
    const gitea = readGiteaSettings(values.config, values['work-path'] ?? '');
    const settings = loadSettings({ environment: terminal.environment });
    const source = await openSource(gitea);
    try {
      const isDryRun = values['dry-run'];
      const result = await withServices(settings, isDryRun, (services) => {
        const run = { context: internalContext(services), source, settings: gitea, isDryRun };
        return importGitea(run, printProgress(terminal));
      });
      printFindings(terminal, result);
      return summaryOf(result, isDryRun);
    } finally {
      await source.close();
    }
  },
);

/** Opens the target; for a dry run a scratch one with the same rules, which is removed afterwards. */
async function withServices<T>(
  settings: Settings,
  isDryRun: boolean,
  action: (services: Awaited<ReturnType<typeof openServices>>) => Promise<T>,
): Promise<T> {
  const scratch = isDryRun ? await mkdtemp(join(tmpdir(), 'copse-import-')) : undefined;
  const target = scratch ? scratchSettings(settings, scratch) : { ...settings, database: { ...settings.database, statementTimeout: 0 } };
  const release = target.database.url ? () => {} : await lockFolder(target.server.dataDir);
  try {
    const services = await openServices(target, createLogger({ ...target.log, level: 'silent' }));
    return await action(services).finally(() => closeServices(services));
  } finally {
    release();
    if (scratch) await rm(scratch, { recursive: true, force: true });
  }
}

function scratchSettings(settings: Settings, folder: string): Settings {
  return {
    ...settings,
    server: { ...settings.server, dataDir: folder },
    database: { ...settings.database, url: null },
    repository: { ...settings.repository, path: join(folder, 'repositories') },
    storage: diskStorage(join(folder, 'storage')),
  };
}

function printProgress(terminal: Terminal): (progress: Progress) => void {
  const print = progressBar(terminal);
  return ({ step, rows, total }) => {
    if (total > 0) print(rows, total, `${step}: ${rows} of ${total}`, rows >= total);
  };
}

function printFindings(terminal: Terminal, { findings }: ImportResult): void {
  for (const { step, subject, reason } of findings.slice(0, MAX_PRINTED))
    terminal.out(`${step}: ${subject}: ${reason}`.replace(/\p{Cc}/gu, '?').concat('\n'));
  const further = findings.length - MAX_PRINTED;
  if (further > 0) terminal.out(`${further} further findings are in the table import_findings\n`);
}

function summaryOf({ rows, findings }: ImportResult, isDryRun: boolean): string {
  const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
  const noted = `${findings.length} ${findings.length === 1 ? 'thing' : 'things'} not taken over as they were`;
  return isDryRun ? `dry run: ${total} rows can be read; ${noted}; nothing was changed` : `imported ${total} rows; ${noted}`;
}
