import { glob, readFile, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type DatabaseEnvironment, postgresEnvironment, sqliteEnvironment, withPostgres } from './runner/databases.ts';
import { type FileRun, type FileToRun, runFiles } from './runner/run-files.ts';
import { makeScratchFolder } from './runner/scratch.ts';
import { usesDatabase } from './runner/uses-database.ts';

/*
 * `npm test -- [--sqlite] [words of file names]`: every test on SQLite, then those that use a server or a database once more on a
 * PostgreSQL that is started here, but for those that say that they are for SQLite alone. `--sqlite` leaves that part out;
 * `--measure` names the files by the processor time that they take instead of the time that passes.
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
/** Processes at a time: since tests also wait, two more than a small machine has processors. */
const CONCURRENCY = 4;
const MAX_FLAKY = 1;
/** How many of the slowest files are named, or of those that take most processor time. */
const SLOWEST = 8;
const MOST_EXPENSIVE = 40;

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { sqlite: { type: 'boolean', default: false }, measure: { type: 'boolean', default: false } },
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
try {
  const onSqlite = toRun('SQLite', files, await sqliteEnvironment(scratch));
  isGood =
    onBoth.length === 0 || flags.sqlite
      ? await run(onSqlite)
      : await withPostgres(scratch, async (url) => run([...onSqlite, ...toRun('PostgreSQL', onBoth, await postgresEnvironment(url))]));
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
// The PostgreSQL that was started here would keep the process.
process.exit();

async function findFiles(parts: readonly string[]): Promise<TestFile[]> {
  const paths = (await Array.fromAsync(glob('test/**/*.test.ts'))).filter(
    (path) => parts.length === 0 || parts.some((word) => path.includes(word)),
  );
  return Promise.all(
    paths.sort().map(async (path) => ({ path, text: await readFile(path, 'utf8'), isOnDatabase: await usesDatabase(path) })),
  );
}

function toRun(database: string, tests: readonly TestFile[], environment: DatabaseEnvironment): FileToRun[] {
  console.log(`${tests.length} test files on ${database} (seed ${process.env.COPSE_TEST_SEED})`);
  return tests.map(({ path, text }) => ({ path, database, environment, isAlone: OWN_PROCESS.test(text) }));
}

/** Runs tests, those that failed once more, and prints what came of it. Returns whether that is good. */
async function run(all: readonly FileToRun[]): Promise<boolean> {
  const start = performance.now();
  const runs = await runFiles(all, { scratch, concurrency: CONCURRENCY, isMeasured: flags.measure });
  const flaky: FileToRun[] = [];
  const broken: FileToRun[] = [];
  let failures = 0;
  for (const { file } of runs.filter(({ result }) => result.isFailed)) {
    console.log(`\nonce more, alone: ${file.path} on ${file.database}`);
    const [again] = await runFiles([{ ...file, isAlone: true }], { scratch, concurrency: 1 });
    (again?.result.isFailed ? broken : flaky).push(file);
    failures += again?.result.failed ?? 0;
  }
  console.log(`\n${((performance.now() - start) / 1000).toFixed(0)} s`);
  for (const database of new Set(all.map(({ database }) => database))) printTimes(database, runs);
  for (const { path, database } of flaky) console.log(`flaky: ${path} on ${database}`);
  for (const { path, database } of broken) console.log(`failed: ${path} on ${database}`);
  const passed = runs.reduce((sum, { result }) => sum + result.passed, 0);
  console.log(`tests: ${passed} passed, ${Math.max(failures, broken.length)} failed`);
  return broken.length === 0 && flaky.length <= MAX_FLAKY && passed > 0;
}

function printTimes(database: string, all: readonly FileRun[]): void {
  const runs = all.filter(({ file }) => file.database === database);
  const passed = runs.reduce((sum, { result }) => sum + result.milliseconds / 1000, 0);
  const processor = runs.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
  const measured = flags.measure ? `, ${processor.toFixed(0)} s of processor time` : '';
  console.log(`${database}: ${passed.toFixed(0)} s in ${CONCURRENCY} processes${measured}`);
  const shown = flags.measure ? MOST_EXPENSIVE : SLOWEST;
  if (runs.length <= shown) return;
  const secondsOf = ({ result, processorSeconds }: FileRun) => (flags.measure ? processorSeconds : result.milliseconds / 1000);
  for (const run of runs.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, shown))
    console.log(`  ${secondsOf(run).toFixed(1)} s  ${run.file.path}`);
}
