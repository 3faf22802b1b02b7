import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadKnownDifferences, outdatedEntries, reasonFor } from './harness/known-differences.ts';
import { compareScenario, loadScenario, type Scenario, type StepResult, scenarioNames, type Target } from './harness/scenarios.ts';

/*
 * `run.ts --url URL --admin NAME:PASSWORD [words of area/name…] [--unbuilt] [--corpus FOLDER]`: plays the recorded scenarios against a
 * running server and compares each step. A difference that `known-differences.json` does not name fails the run.
 * Scenarios of areas that are not built are left out unless `--unbuilt` is given. `--corpus` names another folder of
 * scenarios; those that are missing here are listed.
 */
const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    admin: { type: 'string' },
    jobs: { type: 'string', default: '4' },
    unbuilt: { type: 'boolean', default: false },
    corpus: { type: 'string' },
  },
});
const { url, admin } = flags;
if (!url || !admin) throw new Error('usage: run.ts --url http://127.0.0.1:3000 --admin NAME:PASSWORD [words…]');

const known = await loadKnownDifferences();
const names = await scenarioNames();
const wanted = names.filter(
  (name) =>
    (words.length === 0 || words.some((word) => name.includes(word))) &&
    (flags.unbuilt || typeof known[`${name.split('/')[0]}/*`] !== 'string'),
);
const results = await playAll(await Promise.all(wanted.map(loadScenario)), { url, admin }, Number(flags.jobs));
const differing = results.filter(({ differences }) => differences.length > 0);
const unexpected = differing.filter((step) => !reasonFor(known, step));

for (const { scenario, label, differences } of unexpected) {
  console.log(`✗ ${scenario} · ${label}`);
  for (const line of differences) console.log(`    ${line}`);
}
printTable(results);
for (const entry of outdatedEntries(known, results)) console.log(`no longer differs, remove it from known-differences.json: ${entry}`);
await printMissing(flags.corpus);
console.log(`${differing.length - unexpected.length} steps differ as known-differences.json says`);
console.log(`${results.length - differing.length} passed, ${unexpected.length} failed`);
process.exitCode = unexpected.length > 0 || results.length === 0 ? 1 : 0;

/** Those that change what others could see come last, one at a time. */
async function playAll(scenarios: readonly Scenario[], target: Target, jobs: number): Promise<StepResult[]> {
  const steps: StepResult[] = [];
  const work = async (queue: Scenario[]) => {
    for (let next = queue.shift(); next; next = queue.shift()) steps.push(...(await compareScenario(next, target)));
  };
  const together = scenarios.filter(({ isAlone }) => !isAlone);
  await Promise.all(Array.from({ length: jobs }, () => work(together)));
  await work(scenarios.filter(({ isAlone }) => isAlone));
  return steps.sort((a, b) => (a.scenario < b.scenario ? -1 : Number(a.scenario > b.scenario)));
}

function printTable(steps: readonly StepResult[]): void {
  const areas = Map.groupBy(steps, ({ scenario }) => scenario.split('/')[0] ?? '');
  console.log(`${'area'.padEnd(16)} ${'steps'.padStart(7)} ${'exact'.padStart(7)}`);
  for (const [area, all] of areas) {
    const exact = all.filter(({ differences }) => differences.length === 0).length;
    console.log(`${area.padEnd(16)} ${String(all.length).padStart(7)} ${`${((100 * exact) / all.length).toFixed(1)}%`.padStart(7)}`);
  }
}

async function printMissing(corpus: string | undefined): Promise<void> {
  if (!corpus || !existsSync(corpus)) return;
  const others = await scenarioNames(pathToFileURL(`${resolve(corpus)}/`));
  const missing = others.filter((name) => !names.includes(name));
  console.log(missing.length === 0 ? `every scenario of ${corpus} is here` : `missing here: ${missing.join(', ')}`);
}
