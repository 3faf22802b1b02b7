import type { Context } from '../../context.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { invalid } from '../errors.ts';
import { MAX_XML, parseXml } from './xml.ts';

/** Characters or bytes that are read at once; a worker thread reads longer documents. */
const SHORT = 8 * 1024;
const TASK = new URL('./xml-task.ts', import.meta.url);
const DEADLINE_MS = 10_000;

/**
 * {@link parseXml}, off the main thread where that takes long.
 * @throws PackageError 400; WorkersBusyError
 */
export async function readXml(
  { workers }: Pick<Context, 'workers'>,
  document: Buffer | string,
  maxBytes = MAX_XML,
): Promise<Record<string, unknown>> {
  if (document.length <= SHORT) return parseXml(document, maxBytes);
  if (document.length > maxBytes) throw invalid(`the XML has more than ${maxBytes} bytes`);
  try {
    const result = await workers.run<typeof import('./xml-task.ts')>(TASK, { document, maxBytes }, { deadlineMs: DEADLINE_MS });
    if ('read' in result) return result.read;
    throw invalid(result.refusal);
  } catch (error) {
    if (error instanceof WorkerLimitError) throw invalid('the XML takes too long to read');
    throw error;
  }
}
