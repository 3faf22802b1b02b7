import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from '../../../src/git/processes/process.ts';
import { eventually } from '../../support/eventually.ts';
import type { KilledServer } from './server.ts';
import type { Written } from './writes.ts';

/** More than the 10 s that it takes on a machine that is not busy. */
const CLEAN_WITHIN_MS = 60_000;

/** @throws AssertionError when something is lost, or the repository is damaged */
export async function verify({ root, repositories }: Pick<KilledServer, 'root' | 'repositories'>, written: Written): Promise<void> {
  const { id, empty } = await root.must('GET', '/repos/root/demo');
  assert.equal(empty, false);
  const path = join(repositories, (id % 256).toString(16).padStart(2, '0'), `${id}.git`);
  const git = async (...args: string[]) => (await runGit(args, { cwd: path })).stdout.toString();
  assert.equal(await git('fsck', '--full', '--strict', '--no-dangling'), '');
  const onMain = new Set((await git('rev-list', 'main')).split('\n'));
  const listed = new Set((await git('ls-tree', '--name-only', 'main')).split('\n'));
  for (const [file, sha] of written.files) assert.ok(listed.has(file) && onMain.has(sha), `${file} is lost`);
  const lines = (await git('for-each-ref', '--format=%(refname:strip=2) %(objectname)', 'refs/heads')).trim().split('\n');
  for (const [name, sha] of written.branches) assert.ok(lines.includes(`${name} ${sha}`), `${name} is lost`);
  for (const name of written.repositories) assert.equal((await root.get(`/repos/root/${name}`)).status, 200, `${name} is lost`);
  for (const number of written.issues)
    assert.equal((await root.get(`/repos/root/demo/issues/${number}`)).status, 200, `#${number} is lost`);
  // What the database counts is what git has, once the moves of the dead are known.
  const counted = async () => Number((await root.get('/repos/root/demo/branches?limit=1')).headers.get('x-total-count'));
  await eventually(async () => (await counted()) === lines.length, 'the count of branches');
}

/**
 * Returns the milliseconds since `began` after which no lock or temporary file was left.
 * @param except what may be left
 */
export async function waitUntilClean(
  { repositories }: Pick<KilledServer, 'repositories'>,
  began: number,
  except?: RegExp,
): Promise<number> {
  for (;;) {
    const left = (await leftIn(repositories)).filter((name) => !except?.test(name));
    const passed = Math.round(performance.now() - began);
    if (left.length === 0) return passed;
    assert.ok(passed < CLEAN_WITHIN_MS, `${left.slice(0, 5)} stay`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function leftIn(repositories: string): Promise<string[]> {
  const names = await readdir(repositories, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    // The folder of a creation that was taken back went while it was read.
    if (error.code === 'ENOENT') return ['tmp-unknown'];
    throw error;
  });
  return names.filter((name) => /\.lock$|(^|\/)\.?tmp[_-][^/]*$|\.(new|removed)-[0-9a-f]{12}$/.test(name));
}
