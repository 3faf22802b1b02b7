import { glob, readFile, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type DatabaseEnvironment, postgresEnvironment, sqliteEnvironment, withPostgres } from './runner/databases.ts';
import { runFiles } from './runner/run-files.ts';
import { makeScratchFolder } from './runner/scratch.ts';
import type { FileResult } from './runner/test-process.ts';
import { usesDatabase } from './runner/uses-database.ts';

/*
 * `npm test -- [--sqlite] [words of file names]`: every test on SQLite, then those that use a server or a database once more on a
 * PostgreSQL that is started here, but for those that say that they are for SQLite alone. `--sqlite` leaves that part out;
 * `COPSE_TEST_DATABASE_URL` names another PostgreSQL to use. `COPSE_TEST_SEED` is the seed of random tests.
 *
 * A process runs many files, one after the other. A file that fails is run once more in a process of its own. If it passes then, it is flaky:
 * it is named, and more than one of them fails the run.
 */

/** What a file says that has no question to PostgreSQL that others do not ask. */
const SQLITE_ONLY = /^\/\/ On SQLite alone: /m;
/** Tests that are declared while others run would be taken for theirs: see support/untracked.ts. */
const DECLARED_LATE = /^(describe|it)\([\s\S]*^((const|let) [^\n]*\bawait\b|(for )?await\b)|^\s*describe\([^\n]*\basync\b/m;
/** What a file says that the program's modules would remember, and that files after it would see. */
const OWN_PROCESS = /^\/\/ In a process of its own: /m;
/** Processes at a time. */
const CONCURRENCY = 2;
const MAX_FLAKY = 1;
/** How many of the slowest files are named. */
const SLOWEST = 8;

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { sqlite: { type: 'boolean', default: false } },
});
process.env.COPSE_TEST_SEED ??= '1';

interface TestFile {
  readonly path: string;
  readonly text: string;
  /** It uses a server or a database. */
  readonly isOnDatabase: boolean;
}

const files = await findFiles(words);
const late = files.filter(({ text }) => DECLARED_LATE.test(text));
if (late.length > 0) throw new Error(`what tests need is awaited before the first of them: ${late.map(({ path }) => path).join(', ')}`);
const onBoth = files.filter(({ text, isOnDatabase }) => isOnDatabase && !SQLITE_ONLY.test(text));

// A run that ends before its result, such as with a PostgreSQL that died, has failed, whatever code it was ended with.
let isGood = false;
process.on('exit', () => {
  process.exitCode = isGood ? 0 : 1;
});

const scratch = await makeScratchFolder();
const parts: Part[] = [];
try {
  parts.push(await runPart('SQLite', files, await sqliteEnvironment(scratch)));
  if (onBoth.length > 0 && !flags.sqlite) {
    parts.push(await withPostgres(scratch, async (url) => runPart('PostgreSQL', onBoth, await postgresEnvironment(url))));
  }
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
isGood = printResult(parts);
// The PostgreSQL that was started here would keep the process.
process.exit();

interface Part {
  readonly name: string;
  readonly milliseconds: number;
  readonly results: readonly FileResult[];
  /** Tests that failed twice. */
  readonly failures: number;
  /** Files that failed, and passed when they were run again alone. */
  readonly flaky: readonly string[];
  /** Files that failed twice. */
  readonly broken: readonly string[];
}

async function findFiles(parts: readonly string[]): Promise<TestFile[]> {
  const paths = (await Array.fromAsync(glob('test/**/*.test.ts'))).filter(
    (path) => parts.length === 0 || parts.some((word) => path.includes(word)),
  );
  return Promise.all(
    paths.sort().map(async (path) => ({ path, text: await readFile(path, 'utf8'), isOnDatabase: await usesDatabase(path) })),
  );
}

async function runPart(name: string, part: readonly TestFile[], environment: DatabaseEnvironment): Promise<Part> {
  console.log(`\n${part.length} test files on ${name} (seed ${process.env.COPSE_TEST_SEED})`);
  const start = performance.now();
  const files = part.map(({ path, text }) => ({ path, isAlone: OWN_PROCESS.test(text) }));
  const results = await runFiles(files, { scratch, environment, concurrency: CONCURRENCY });
  const flaky: string[] = [];
  const broken: string[] = [];
  let failures = 0;
  for (const { path } of results.filter(({ isFailed }) => isFailed)) {
    console.log(`\nonce more, alone: ${path}`);
    const [again] = await runFiles([{ path, isAlone: true }], { scratch, environment, concurrency: 1 });
    (again?.isFailed ? broken : flaky).push(path);
    failures += again?.failed ?? 0;
  }
  return { name, milliseconds: performance.now() - start, results, failures, flaky, broken };
}

function printResult(all: readonly Part[]): boolean {
  console.log();
  for (const { name, milliseconds, results } of all) {
    console.log(`${name}: ${(milliseconds / 1000).toFixed(0)} s`);
    const slowest = results.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
    if (results.length > SLOWEST) for (const file of slowest) console.log(`  ${(file.milliseconds / 1000).toFixed(1)} s  ${file.path}`);
  }
  const flaky = all.flatMap((part) => part.flaky.map((path) => `${path} on ${part.name}`));
  const broken = all.flatMap((part) => part.broken.map((path) => `${path} on ${part.name}`));
  for (const path of flaky) console.log(`flaky: ${path}`);
  for (const path of broken) console.log(`failed: ${path}`);
  const passed = all.flatMap(({ results }) => results).reduce((sum, { passed }) => sum + passed, 0);
  const failed = all.reduce((sum, { failures }) => sum + failures, 0);
  console.log(`tests: ${passed} passed, ${Math.max(failed, broken.length)} failed`);
  return broken.length === 0 && flaky.length <= MAX_FLAKY && passed > 0;
}
