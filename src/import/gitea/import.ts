import { inTransaction } from '../../context.ts';
import { Batch, type Finding, type ImportRun } from './batch.ts';
import { ImportError } from './error.ts';
import { finishCounts } from './finish/counts.ts';
import { finishPackages } from './finish/packages.ts';
import { setSequences } from './finish/sequences.ts';
import { checkVersion } from './source/version.ts';
import { beginImport, finishImport, saveStep, stepState } from './state.ts';
import type { Step } from './step.ts';
import { STEPS } from './steps.ts';
import { unsupportedFindings } from './unsupported.ts';

/** The progress of a step, for a progress bar. */
export interface Progress {
  readonly step: string;
  readonly rows: number;
  readonly total: number;
}

/** The result of an import. */
export interface ImportResult {
  /** Rows of the source, by step. */
  readonly rows: ReadonlyMap<string, number>;
  /** What was not imported unchanged, by step. */
  readonly findings: readonly (Finding & { readonly step: string })[];
}

const BATCH_SIZE = 500;

/**
 * Imports a stopped Gitea into an empty target, or continues an interrupted import.
 * @throws ImportError
 */
export async function importGitea(run: ImportRun, report: (progress: Progress) => void): Promise<ImportResult> {
  await checkVersion(run.source);
  const id = await beginImport(run.context, run.settings);
  const rows = new Map<string, number>();
  for (const step of STEPS) rows.set(step.name, await runStep(run, id, step, report));
  await inTransaction(run.context, async (context) => {
    await finishCounts(context.db);
    await finishPackages(context.db);
    await setSequences(context);
    await writeFindings(context.db, id, 'others', await unsupportedFindings(run.source));
    await finishImport(context, id);
  });
  const findings = await run.context.db
    .selectFrom('import_findings')
    .select(['step', 'subject', 'reason'])
    .where('import_id', '=', id)
    .orderBy('id')
    .execute();
  return { rows, findings };
}

/** Returns how many rows the step has processed, including those before an interruption. */
async function runStep(run: ImportRun, importId: number, step: Step, report: (progress: Progress) => void): Promise<number> {
  const state = await stepState(run.context, importId, step.name);
  if (state.isDone) return state.rows;
  const total = await run.source.count(step.table);
  for (let { lastId, rows } = state; ; ) {
    report({ step: step.name, rows, total });
    const found = await run.source.rows(step.table, lastId, step.batchSize ?? BATCH_SIZE);
    const batch = new Batch(run);
    if (found.length > 0) await step.run(found, batch);
    const reached = found.at(-1)?.id ?? lastId;
    if (found.length > 0 && reached <= lastId) throw new ImportError(`the table ${step.table} has ids that are not numbers`);
    lastId = reached;
    rows += found.length;
    await inTransaction(run.context, async ({ db }) => {
      await batch.write(db);
      await writeFindings(db, importId, step.name, batch.findings);
      await saveStep({ db }, importId, step.name, { lastId, rows, isDone: found.length === 0 });
    });
    if (found.length === 0) return rows;
  }
}

async function writeFindings(db: ImportRun['context']['db'], importId: number, step: string, findings: readonly Finding[]): Promise<void> {
  for (let at = 0; at < findings.length; at += BATCH_SIZE) {
    const rows = findings.slice(at, at + BATCH_SIZE).map((finding) => ({ import_id: importId, step, ...finding }));
    await db.insertInto('import_findings').values(rows).execute();
  }
}
