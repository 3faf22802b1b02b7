import type { Context } from '../../context.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { invalid } from '../errors.ts';
import type { YamlTask } from './yaml-task.ts';

/** Size limit of a document in bytes. */
const MAX_BYTES = 64 * 1024;
/** Longer documents, and those with possible aliases, are read in a worker thread. */
const SHORT = 4 * 1024;
const ANCHOR = /&[^\s&]/;
const TASK = new URL('./yaml-task.ts', import.meta.url);
const DEADLINE_MS = 5000;

/**
 * Reads a YAML document, such as a `Chart.yaml` or a `pubspec.yaml`: a mapping, with all scalars as their literal texts, so
 * that a version `1.0` is not changed. Aliases are resolved, as many as a gem needs.
 * @param options.typed reads scalars as the numbers, booleans and nulls that they are
 * @throws PackageError 400 for invalid YAML, no mapping, or a document that is too large; WorkersBusyError
 */
export async function parseYaml(
  { workers }: Pick<Context, 'workers'>,
  document: Buffer,
  { maxBytes = MAX_BYTES, typed = false }: { maxBytes?: number; typed?: boolean } = {},
): Promise<Record<string, unknown>> {
  if (document.length > maxBytes) throw invalid(`the YAML has more than ${maxBytes} bytes`);
  const task = { text: document.toString('utf8'), typed };
  try {
    const read =
      document.length <= SHORT && !ANCHOR.test(task.text)
        ? await readHere(task)
        : await workers.run<typeof import('./yaml-task.ts')>(TASK, task, { deadlineMs: DEADLINE_MS });
    if (read) return read;
  } catch (error) {
    if (!(error instanceof WorkerLimitError)) throw error;
  }
  throw invalid('the YAML cannot be read');
}

/** Loaded on first use. */
let library: typeof import('./yaml-task.ts') | undefined;

async function readHere(task: YamlTask): Promise<Record<string, unknown> | undefined> {
  library ??= await import('./yaml-task.ts');
  return library.run(task);
}
