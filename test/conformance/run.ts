import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `run.ts URL NAME:PASSWORD [words of area/name…]`: plays the recorded scenarios against a running server, those of every area
 * of which something is built when no words are given; then fewer exact steps than `test/conformance-floor.txt` says fail.
 */
const RUNNER = new URL('../../../shared/conformance/run.mjs', import.meta.url);
/** Nothing of these areas is built, and their scenarios wait for minutes each for runners that cannot come. */
const UNBUILT_AREAS = ['actions'];
const SCENARIOS = new URL('../../../shared/conformance/scenarios/', import.meta.url);
const FLOOR = new URL('../conformance-floor.txt', import.meta.url);
const [url = '', admin = '', ...words] = process.argv.slice(2);

const areas = readdirSync(SCENARIOS).filter((area) => !UNBUILT_AREAS.includes(area));
const wanted = words.length > 0 ? words : areas.map((area) => `${area}/`);
const output = await new Promise<string>((resolve, reject) => {
  const child = spawn(process.execPath, [fileURLToPath(RUNNER), '--url', url, '--admin', admin, ...wanted], {
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
