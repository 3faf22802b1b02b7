import { join } from 'node:path';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// What Node has compiled once is kept beside the packages: later starts take half the time and less memory.
enableCompileCache(join(fileURLToPath(new URL('..', import.meta.url)), 'node_modules', '.cache', 'copse'));

const { runCommand } = await import('./cli/run.ts');
process.exitCode = await runCommand(process.argv.slice(2));
