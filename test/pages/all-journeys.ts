/**
 * Plays every journey with scripts, without them, and by the keyboard alone, which takes too long for each run of the tests:
 * `node test/pages/all-journeys.ts [words of file names]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const words = process.argv.slice(2);
const files = words.length === 0 ? ['test/pages/journeys'] : words.map((word) => `test/pages/journeys/${word}`);
const run = spawn(process.execPath, ['test/run.ts', '--sqlite', ...files], {
  stdio: 'inherit',
  env: { ...process.env, COPSE_TEST_JOURNEYS: 'all' },
});
const [code] = await once(run, 'exit');
process.exitCode = Number(code ?? 1);
