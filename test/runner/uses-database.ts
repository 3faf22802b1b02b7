import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const USES_DATABASE = /support\/(server|database|empty-database)\.ts/;
const RELATIVE_IMPORT = /from '(\.{1,2}\/[^']+\.ts)'/g;

/** Whether a test file uses a server or a database, itself or through the helpers that it imports. */
export async function usesDatabase(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8');
  if (USES_DATABASE.test(text)) return true;
  const helpers = [...text.matchAll(RELATIVE_IMPORT)]
    .map(([, name = '']) => join(dirname(path), name))
    .filter((file) => file.startsWith('test/'));
  for (const helper of helpers) if (await usesDatabase(helper)) return true;
  return false;
}
