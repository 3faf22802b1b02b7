import { isGenerated } from '../../../git/generated-files.ts';

const NO_BYTES = Buffer.alloc(0);

/** Those of these paths whose names tell that a tool wrote the file. What is known of names takes a while to load. */
export function run(paths: readonly string[]): string[] {
  return paths.filter((path) => isGenerated(path, NO_BYTES));
}
