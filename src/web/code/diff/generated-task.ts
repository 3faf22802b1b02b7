import { isGenerated } from '../../../git/languages/generated-files.ts';

const NO_BYTES = Buffer.alloc(0);

/** The paths of generated files, by their names. The rules for names take a while to load. */
export function run(paths: readonly string[]): string[] {
  return paths.filter((path) => isGenerated(path, NO_BYTES));
}
