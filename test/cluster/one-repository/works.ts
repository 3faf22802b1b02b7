import assert from 'node:assert/strict';
import { runGit } from '../../../src/git/processes/process.ts';
import type { Client } from '../../support/client.ts';
import { type Counts, twoOf } from '../support/work.ts';

/** What was acknowledged. */
export interface Expected {
  /** Whole names of refs and their objects, other than `main`. */
  readonly refs: Map<string, string>;
  /** Commits that `main` has to contain. */
  readonly onMain: Set<string>;
  /** Files that `main` has to have. */
  readonly files: Set<string>;
}

interface Setting {
  /** One for each process. */
  readonly clients: readonly Client[];
  /** A clone of root/one. */
  readonly folder: string;
  readonly expected: Expected;
  readonly counts: Counts;
}

const REPOSITORY = '/repos/root/one';
const WRITERS = 3;

/** What is done at once: each write at one process is looked for at another. */
export function worksOn(setting: Setting): ((round: number) => Promise<void>)[] {
  const numbers = Array.from({ length: WRITERS }, (_, index) => index);
  return [
    ...numbers.map((number) => (round: number) => push(setting, `pushed-${number}-${round}`)),
    ...numbers.map((number) => (round: number) => changeFile(setting, `file-${number}-${round}`)),
    (round) => merge(setting, `merged-${round}`),
    (round) => tag(setting, `tag-${round}`),
  ];
}

/** Pushes a branch, moves it by another process, and deletes every second one by the first. */
async function push({ clients, folder, expected, counts }: Setting, name: string): Promise<void> {
  const [one, other] = twoOf(clients);
  const base = (await one.git(['rev-parse', 'HEAD'], folder)).stdout.trim();
  let parent = base;
  for (const client of [one, other]) {
    const commit = (await client.git(['commit-tree', '-p', parent, '-m', `${name} on ${parent}`, `${base}^{tree}`], folder)).stdout.trim();
    const pushed = await client.git(['push', '-q', client.remote('root/one'), `${commit}:refs/heads/${name}`], folder);
    assert.equal(pushed.code, 0, pushed.stderr);
    expected.refs.set(`refs/heads/${name}`, commit);
    const reader = client === one ? other : one;
    await look(counts, async () => (await reader.get(`${REPOSITORY}/branches/${name}`)).json.commit?.id === commit);
    parent = commit;
  }
  counts.add('push');
  if (!/[02468]$/.test(name)) return;
  assert.equal((await one.delete(`${REPOSITORY}/branches/${name}`)).status, 204);
  expected.refs.delete(`refs/heads/${name}`);
  await look(counts, async () => (await other.get(`${REPOSITORY}/branches/${name}`)).status === 404);
  counts.add('delete');
}

/** Others change the same branch: a refusal is right when it says so. */
async function changeFile({ clients, expected, counts }: Setting, name: string): Promise<void> {
  const [one, other] = twoOf(clients);
  const { status, json, text } = await one.post(`${REPOSITORY}/contents/${name}`, { content: '' });
  if (status !== 201) {
    assert.ok(status === 409, `${status} ${text}`);
    return counts.add('file refused');
  }
  expected.onMain.add(json.commit.sha);
  expected.files.add(name);
  counts.add('file');
  await look(counts, async () => (await other.get(`${REPOSITORY}/contents/${name}`)).status === 200);
}

async function merge({ clients, expected, counts }: Setting, name: string): Promise<void> {
  const [one, other] = twoOf(clients);
  const file = await one.post(`${REPOSITORY}/contents/${name}`, { content: '', branch: 'main', new_branch: name });
  assert.equal(file.status, 201, file.text);
  expected.refs.set(`refs/heads/${name}`, file.json.commit.sha);
  const pull = await other.must('POST', `${REPOSITORY}/pulls`, { head: name, base: 'main', title: name });
  expected.refs.set(`refs/pull/${pull.number}/head`, file.json.commit.sha);
  const { status, text } = await one.post(`${REPOSITORY}/pulls/${pull.number}/merge`, { Do: 'merge' });
  if (status !== 200) {
    assert.ok(status === 409 || status === 405, `${status} ${text}`);
    return counts.add('merge refused');
  }
  expected.onMain.add(file.json.commit.sha);
  expected.files.add(name);
  counts.add('merge');
  await look(counts, async () => (await other.get(`${REPOSITORY}/pulls/${pull.number}`)).json.merged === true);
  await look(counts, async () => (await other.get(`${REPOSITORY}/contents/${name}`)).status === 200);
}

async function tag({ clients, expected, counts }: Setting, name: string): Promise<void> {
  const [one, other] = twoOf(clients);
  const made = await one.must('POST', `${REPOSITORY}/tags`, { tag_name: name, target: 'main' });
  expected.refs.set(`refs/tags/${name}`, made.commit.sha);
  await look(counts, async () => (await other.get(`${REPOSITORY}/tags/${name}`)).status === 200);
  counts.add('tag');
}

/** Looks once: what was acknowledged by one process is there by the other. */
async function look(counts: Counts, isSo: () => Promise<boolean>): Promise<void> {
  counts.add('look');
  if (!(await isSo())) counts.add('stale');
}

/** @throws AssertionError when a ref is not what was acknowledged, be it by git or by one of the processes */
export async function checkRefs({ clients, path, expected }: Pick<Setting, 'clients' | 'expected'> & { path: string }): Promise<void> {
  const git = async (...args: string[]) => (await runGit(args, { cwd: path })).stdout.toString().trim().split('\n');
  const lines = await git('for-each-ref', '--format=%(refname) %(objectname)');
  const wanted = [...expected.refs].map(([name, oid]) => `${name} ${oid}`);
  const isMain = (line: string) => line.startsWith('refs/heads/main ');
  assert.deepEqual(lines.filter((line) => !isMain(line)).sort(), wanted.sort());
  const [commits, files] = [new Set(await git('rev-list', 'main')), new Set(await git('ls-tree', '--name-only', 'main'))];
  for (const commit of expected.onMain) assert.ok(commits.has(commit), `${commit} is lost`);
  for (const file of expected.files) assert.ok(files.has(file), `${file} is lost`);
  const branches = lines.filter((line) => line.startsWith('refs/heads/')).map((line) => line.replace('refs/heads/', ''));
  for (const client of clients) assert.deepEqual((await listBranches(client)).sort(), branches.sort());
}

async function listBranches(client: Client): Promise<string[]> {
  const all: { name: string; commit: { id: string } }[] = [];
  for (let page = 1; ; page++) {
    const found = await client.must('GET', `${REPOSITORY}/branches?limit=50&page=${page}`);
    if (found.length === 0) return all.map(({ name, commit }) => `${name} ${commit.id}`);
    all.push(...found);
  }
}
