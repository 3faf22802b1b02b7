import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitOptions, runGit } from '../../src/git/processes/process.ts';
import type { GitRepository, ObjectFormat } from '../../src/git/repository.ts';

/** A file's content; `null` removes the file. */
export type FixtureFile = string | Buffer | null | { mode: '100755' | '120000' | '160000'; content: string | Buffer };

/** One commit of a fixture. What is left out follows from the commit before it. */
export interface FixtureCommit {
  /** The branch that it is put on, `main` by default; it starts at the branch's tip. */
  branch?: string;
  /** Labels of other parents: the first one instead of the branch's tip where `from` is set, the others merged. */
  from?: string;
  merge?: readonly string[];
  /** The name under which the fixture knows its id; the message's first line by default. */
  label?: string;
  message?: string;
  /** `Name <email>`. */
  author?: string;
  committer?: string;
  /** Seconds and zone, as in `1700000000 +0100`; by default one minute after the commit before it, in UTC. */
  date?: string;
  files?: Readonly<Record<string, FixtureFile>>;
}

/** A bare repository in a temporary folder, deleted when it goes out of scope (`await using`). */
export interface Fixture extends AsyncDisposable {
  readonly repository: GitRepository;
  /** The id of the commit of this label. */
  id(label: string): string;
  /** Runs git in the repository, as a person with a fixed date; returns its output without the last newline. */
  git(args: readonly string[], options?: GitOptions): Promise<string>;
}

const PERSON = 'Ann Author <ann@example.com>';
const START = 1_700_000_000;
const ENVIRONMENT = {
  GIT_AUTHOR_NAME: 'Ann Author',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_AUTHOR_DATE: `${START} +0000`,
  GIT_COMMITTER_NAME: 'Ann Author',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
  GIT_COMMITTER_DATE: `${START} +0000`,
};

/** Makes a bare repository with these commits; `HEAD` names `main`. The same commits always get the same ids. */
export async function createFixture(
  commits: readonly FixtureCommit[] = [],
  options: { objectFormat?: ObjectFormat } = {},
): Promise<Fixture> {
  const objectFormat = options.objectFormat ?? 'sha1';
  const folder = await mkdtemp(join(tmpdir(), 'copse-git-'));
  const repository: GitRepository = { path: join(folder, 'repository.git'), objectFormat };
  await runGit(['init', '-q', '--bare', '-b', 'main', `--object-format=${objectFormat}`, repository.path]);
  return {
    ...(await fillRepository(repository, commits)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Makes commits in a bare repository that is there already. */
export async function fillRepository(
  repository: GitRepository,
  commits: readonly FixtureCommit[],
): Promise<Pick<Fixture, 'repository' | 'git' | 'id'>> {
  const git: Fixture['git'] = async (args, more = {}) => {
    const { stdout } = await runGit(args, { cwd: repository.path, ...more, env: { ...ENVIRONMENT, ...more.env } });
    return stdout.toString().replace(/\n$/, '');
  };
  const ids = new Map<string, string>();
  if (commits.length > 0) {
    const marks = join(repository.path, '..', `marks-${randomUUID()}`);
    await git(['fast-import', '--quiet', '--date-format=raw-permissive', `--export-marks=${marks}`], { input: importStream(commits) });
    for (const line of (await readFile(marks, 'utf8')).trim().split('\n')) {
      const [mark = '', id = ''] = line.split(' ');
      const commit = commits[Number(mark.slice(1)) - 1];
      if (commit) ids.set(labelOf(commit, Number(mark.slice(1))), id);
    }
    await rm(marks);
  }
  return {
    repository,
    git,
    id(label) {
      const id = ids.get(label);
      if (!id) throw new Error(`the fixture has no commit ${label}`);
      return id;
    },
  };
}

function labelOf(commit: FixtureCommit, number: number): string {
  return commit.label ?? commit.message?.split('\n')[0] ?? `commit ${number}`;
}

/** https://git-scm.com/docs/git-fast-import */
function importStream(commits: readonly FixtureCommit[]): Buffer {
  const parts: (string | Buffer)[] = [];
  const marks = new Map<string, number>();
  const data = (content: string | Buffer) => {
    const bytes = Buffer.from(content);
    parts.push(`data ${bytes.length}\n`, bytes, '\n');
  };
  const markOf = (label: string) => {
    const mark = marks.get(label);
    if (mark === undefined) throw new Error(`no commit ${label} before this one`);
    return `:${mark}`;
  };
  commits.forEach((commit, index) => {
    const date = commit.date ?? `${START + 60 * index} +0000`;
    parts.push(`commit refs/heads/${commit.branch ?? 'main'}\nmark :${index + 1}\n`);
    parts.push(`author ${commit.author ?? PERSON} ${date}\ncommitter ${commit.committer ?? commit.author ?? PERSON} ${date}\n`);
    data(commit.message ?? `${labelOf(commit, index + 1)}\n`);
    if (commit.from !== undefined) parts.push(`from ${markOf(commit.from)}\n`);
    for (const label of commit.merge ?? []) parts.push(`merge ${markOf(label)}\n`);
    for (const [path, file] of Object.entries(commit.files ?? {})) {
      const name = JSON.stringify(path);
      if (file === null) parts.push(`D ${name}\n`);
      else if (typeof file === 'string' || Buffer.isBuffer(file)) {
        parts.push(`M 100644 inline ${name}\n`);
        data(file);
      } else if (file.mode === '160000') parts.push(`M 160000 ${file.content} ${name}\n`);
      else {
        parts.push(`M ${file.mode} inline ${name}\n`);
        data(file.content);
      }
    }
    parts.push('\n');
    marks.set(labelOf(commit, index + 1), index + 1);
  });
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}
