import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `run.ts URL NAME:PASSWORD [words of area/name…]`: plays the recorded scenarios against a running server. Without words,
 * fewer exact steps than `test/conformance-floor.txt` says fail.
 */
const RUNNER = new URL('../../../shared/conformance/run.mjs', import.meta.url);
const FLOOR = new URL('../conformance-floor.txt', import.meta.url);
const [url = '', admin = '', ...words] = process.argv.slice(2);

const output = await new Promise<string>((resolve, reject) => {
  const child = spawn(process.execPath, [fileURLToPath(RUNNER), '--url', url, '--admin', admin, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    process.stdout.write(chunk);
  });
  child.on('error', reject);
  child.on('close', () => resolve(text));
});
const exact = Number(/^(\d+) passed, \d+ failed$/m.exec(output)?.[1] ?? 0);
const floor = words.length > 0 ? 1 : Number(readFileSync(FLOOR, 'utf8').trim());
console.log(exact >= floor ? `at or above the floor of ${floor}` : `below the floor of ${floor}`);
process.exitCode = exact >= floor ? 0 : 1;
