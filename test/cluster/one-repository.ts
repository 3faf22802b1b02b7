import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { checkRefs, type Expected, worksOn } from './one-repository/works.ts';
import { Cluster } from './support/cluster.ts';
import { Counts, oneOf, repeatFor, rootAt } from './support/work.ts';

/*
 * Two processes change ONE repository on a shared folder at once: pushes, changes of files on one branch, merges, deleted branches, and
 * repacks and packed refs the while. What one process has acknowledged, the other has to show at once. In the end each ref is compared with what
 * was acknowledged, by git and by both processes, and git checks every object.
 *
 *     node test/cluster/one-repository.ts [--seconds 60] [--database postgres://…] [--data DIR --data DIR]
 *
 * With `--data` each process uses a folder of its own, which have to show the same files, as a file system that is mounted twice.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    database: { type: 'string' },
    data: { type: 'string', multiple: true },
  },
});
const { database, data: dataDirs } = flags;
const cluster = await Cluster.start({ processes: 2, ...(database && { database }), ...(dataDirs && { dataDirs }) });
try {
  await stress(Number(flags.seconds));
} finally {
  await cluster.close();
}

async function stress(seconds: number): Promise<void> {
  const clients = cluster.members.map(rootAt);
  const { id } = await cluster.root.must('POST', '/user/repos', { name: 'one', auto_init: true, default_branch: 'main' });
  const path = join(cluster.repositories, (id % 256).toString(16).padStart(2, '0'), `${id}.git`);
  const folder = join(cluster.folder, 'work');
  await cluster.root.git(['clone', '-q', cluster.root.remote('root/one'), folder], cluster.folder);
  const expected: Expected = { refs: new Map(), onMain: new Set(), files: new Set() };
  const counts = new Counts();
  const repack = async (round: number) => {
    // The maintenance of the processes may hold the same lock just now.
    const run = (...args: string[]) =>
      promisify(execFile)('git', args, { cwd: path }).catch((error: Error) => {
        if (!/\.lock': File exists/.test(error.message)) throw error;
      });
    await run('pack-refs', '--all', '--prune');
    await run('-c', 'pack.threads=1', 'repack', '-q', '-d', ...(round % 4 === 3 ? ['-a'] : []));
    if (round % 4 === 1) await run('commit-graph', 'write', '--reachable', '--no-progress');
    await oneOf(clients).must('POST', '/admin/cron/git_gc_repos');
    counts.add('repack');
  };
  const works = worksOn({ clients, folder, expected, counts });
  await Promise.all([repeatFor(seconds, works), repeatFor(seconds, [repack], 0.7)]);
  console.log(`${counts}`);
  await checkRefs({ clients, path, expected });
  let found: string | undefined;
  const isClean = async () => {
    found = (await cluster.members[0]?.command('doctor', '--fsck'))?.trim();
    return found === 'nothing is wrong';
  };
  await eventually(isClean, 'a clean doctor').catch((error) => assert.fail(`${error.message}: ${found}`));
  assert.equal(counts.get('stale'), 0, 'a process has shown what was no longer so');
  console.log(`${expected.refs.size} refs and ${expected.onMain.size} commits on main are as acknowledged; the doctor finds nothing`);
}
