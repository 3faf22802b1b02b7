import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const TESTS = pathToFileURL(join(import.meta.dirname, '..', '/')).href;
/** What stays one module for all files of the process: it has nothing of its own that a file begins or ends. */
const SHARED = ['runner/', 'support/'].map((folder) => new URL(folder, TESTS).href);

let generation = 0;

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const isFresh = resolved.url.startsWith(TESTS) && !SHARED.some((prefix) => resolved.url.startsWith(prefix));
    return isFresh ? { ...resolved, url: `${resolved.url}?${generation}` } : resolved;
  },
});

/**
 * Makes what is imported from now on load the modules of tests again. So each file has helpers of its own, whose servers and folders begin and end
 * with it, while the program's modules stay loaded, and those of `test/support`, which would cost a tenth of the processor time.
 */
export function forgetTestModules(): void {
  generation++;
}
