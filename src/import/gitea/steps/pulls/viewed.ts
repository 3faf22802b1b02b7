import { readCommit } from '../../../../git/objects/commits.ts';
import { GitError, GitLimitError } from '../../../../git/processes/process.ts';
import { isObjectId, type ObjectFormat } from '../../../../git/repository.ts';
import { findEntry } from '../../../../git/trees/trees.ts';
import { DEFAULT_VOLUME } from '../../../../git/volumes.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Gitea's numbers of the viewed states of files (models/pull/review_state.go, `ViewedState`). */
const CHANGED = 1;
const VIEWED = 2;
/** Limit of imported files per reader; the others are shown as not viewed. */
const MAX_FILES = 3_000;
const MAX_PATH = 4_000;

/** Viewed files of pull requests. Gitea stores names for each head; here a mark refers to the content of the file. */
export const viewedFiles: Step = {
  name: 'viewed files',
  table: 'review_state',
  batchSize: 100,
  run: async (rows, batch) => {
    if (batch.run.isDryRun) return;
    const pulls = await pullsOf(rows, batch);
    const users = await batch.existingOf('users', rows, 'user_id');
    const newest = await newestOf(rows, batch);
    for (const row of rows) {
      const pull = pulls.get(row.integer('pull_id'));
      if (!pull || !users.has(row.integer('user_id')) || !newest.has(row.id)) continue;
      for (const [path, content] of await marksOf(row, batch, pull)) {
        const key = { pull_id: row.integer('pull_id'), user_id: row.integer('user_id'), path };
        batch.add('pull_viewed_files', { ...key, content, viewed_at: row.time('updated_unix') });
      }
    }
  },
};

/** The files of a row with their contents; none if git cannot read them. */
async function marksOf(row: Row, batch: Batch, pull: PullPlace): Promise<Map<string, string>> {
  const marks = new Map<string, string>();
  try {
    const contentOf = await contentsAt(batch, pull, row.line('commit_sha', 64));
    for (const [path, state] of statesOf(row)) {
      const content = state === VIEWED ? await contentOf(path) : '';
      if (content !== undefined) marks.set(path, content);
    }
  } catch (error) {
    if (!(error instanceof GitError || error instanceof GitLimitError)) throw error;
    batch.note(`pull request ${row.integer('pull_id')}`, 'git cannot read the files that were viewed');
    return new Map();
  }
  return marks;
}

interface PullPlace {
  readonly repository_id: number;
  readonly merge_base: string;
  readonly object_format: ObjectFormat;
}

async function pullsOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, PullPlace>> {
  const ids = [...new Set(rows.map((row) => row.integer('pull_id')))];
  const found = await batch.context.db
    .selectFrom('pull_requests')
    .innerJoin('repositories', 'repositories.id', 'pull_requests.repository_id')
    .select(['pull_requests.id', 'pull_requests.repository_id', 'pull_requests.merge_base', 'repositories.object_format'])
    .where('pull_requests.id', 'in', ids)
    .execute();
  return new Map(found.map(({ id, ...place }) => [id, place]));
}

/** The ids of the newest rows of each reader and pull request: these include the files of earlier rows. */
async function newestOf(rows: readonly Row[], batch: Batch): Promise<ReadonlySet<number>> {
  const ids = [...new Set(rows.map((row) => row.integer('pull_id')))];
  const newest = new Map<string, Row>();
  for (const row of await batch.source.rowsWith('review_state', 'pull_id', ids)) {
    const key = `${row.integer('pull_id')} ${row.integer('user_id')}`;
    const other = newest.get(key);
    const isOlder = other && (row.time('updated_unix') - other.time('updated_unix') || row.id - other.id) < 0;
    if (!isOlder) newest.set(key, row);
  }
  return new Set([...newest.values()].map(({ id }) => id));
}

function statesOf(row: Row): [path: string, state: number][] {
  const states = row.json('updated_files');
  if (typeof states !== 'object' || states === null) return [];
  const known = Object.entries(states).filter(([path, state]) => path.length <= MAX_PATH && (state === VIEWED || state === CHANGED));
  return known.slice(0, MAX_FILES).map(([path, state]) => [path.replaceAll('\0', '').toWellFormed(), state as number]);
}

/** The contents of files at a commit of a pull request, in the form of marks; undefined for files that it does not change. */
async function contentsAt(batch: Batch, pull: PullPlace, oid: string): Promise<(path: string) => Promise<string | undefined>> {
  const { git } = batch.context;
  const repository = git.locate({ id: pull.repository_id, object_format: pull.object_format, volume: DEFAULT_VOLUME });
  const treeOf = async (commit: string) =>
    isObjectId(commit, pull.object_format) ? (await readCommit(repository, git.pool, commit))?.tree : undefined;
  const [tree, base] = [await treeOf(oid), await treeOf(pull.merge_base)];
  if (tree === undefined) return async () => undefined;
  return async (path) => {
    const entry = await findEntry(repository, git.pool, tree, path);
    if (entry) return `${entry.mode} ${entry.oid}`;
    const old = base === undefined ? undefined : await findEntry(repository, git.pool, base, path);
    return old && `removed ${old.oid}`;
  };
}
