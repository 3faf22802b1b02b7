import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { apiOf } from './call-api.ts';

/**
 * `node bench/code-search.ts URL NAME:PASSWORD [REPOSITORIES] [MEGABYTES]`: fills repositories with programs, together so many megabytes, waits until they are
 * indexed, and prints how long searches over all of them take, and how long a small push takes until it is found.
 */
const [url = '', account = '', repositories = '100', megabytes = '50'] = process.argv.slice(2);
const call = apiOf(url, `Basic ${Buffer.from(account).toString('base64')}`);
const ROUNDS = 15;
const run = promisify(execFile);

interface Found {
  readonly total_count: number;
  readonly index_pending: boolean;
  readonly incomplete_results: boolean;
}

const find = (q: string) => call<Found>('GET', `/search/code?${new URLSearchParams({ q, limit: '20' })}`);

/** Programs that people wrote: the texts of this checkout and of the packages that it uses, again and again. */
async function* programs(): AsyncGenerator<{ name: string; text: string }> {
  const root = join(import.meta.dirname, '..');
  for (let round = 0; ; round++) {
    for (const folder of ['src', 'test', 'node_modules']) {
      for (const name of (await readdir(join(root, folder), { recursive: true })).sort()) {
        if (!/\.(?:ts|js|mjs|css|md)$/.test(name) || name.endsWith('.min.js')) continue;
        const text = await readFile(join(root, folder, name), 'utf8').catch(() => '');
        if (text.length > 0 && text.length < 200_000) yield { name: `${round}/${name.replaceAll('node_modules', 'packages')}`, text };
      }
    }
  }
}

const texts = programs();

async function fill(folder: string, at: number): Promise<void> {
  const repository = `search${at}`;
  await call('POST', '/user/repos', { name: repository, default_branch: 'main' });
  const work = await mkdtemp(join(folder, 'work-'));
  const total = (Number(megabytes) * 1e6) / Number(repositories);
  await writeFile(join(work, 'only.ts'), `const onlyOnceInAll${at}x = ${at};\n`);
  for (let written = 0; written < total; ) {
    const { value } = await texts.next();
    const path = join(work, value.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, value.text);
    written += value.text.length;
  }
  const git = (...args: string[]) => run('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args], { cwd: work });
  const remote = new URL(`/${account.split(':')[0]}/${repository}.git`, url);
  [remote.username = '', remote.password = ''] = account.split(':');
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-qm', 'Fill');
  await git('push', '-q', remote.href, 'main');
}

async function until(isSo: () => Promise<boolean>): Promise<number> {
  const begin = performance.now();
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 100));
  return Math.round(performance.now() - begin);
}

async function measure(label: string, q: string): Promise<void> {
  const times: number[] = [];
  let found = await find(q);
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    found = await find(q);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const [median = 0, slow = 0] = [times[Math.floor(ROUNDS / 2)], times[Math.floor(ROUNDS * 0.95)]];
  console.log(`| ${label} | ${found.total_count}${found.incomplete_results ? '+' : ''} | ${median.toFixed(0)} | ${slow.toFixed(0)} |`);
}

const folder = await mkdtemp(join(tmpdir(), 'copse-bench-'));
try {
  for (let at = 0; at < Number(repositories); at++) await fill(folder, at);
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`indexed ${await until(async () => !(await find('onlyOnceInAll7x')).index_pending)} ms after the last push`);
console.log('| search | files | median, ms | 95 %, ms |\n|---|---|---|---|');
await measure('a word that is there once', 'onlyOnceInAll7x');
await measure('a word that is nowhere', 'thisIsNowhereAtAll');
await measure('a frequent word', 'return');
await measure('two words', 'transaction rollback');
await measure('an exact phrase', '"export function isValid"');
await measure('an expression', '/function parse\\w+Header\\(/');
await measure('an expression without a literal', '/[a-z]{30,}/');
const content = Buffer.from('const pushedLater = 1;\n').toString('base64');
await call('POST', `/repos/${account.split(':')[0]}/search7/contents/later.ts`, { content, message: 'Add' });
console.log(`a small push is found after ${await until(async () => (await find('pushedLater')).total_count > 0)} ms`);
