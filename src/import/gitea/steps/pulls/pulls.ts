import type { MergeStyle, PullStatus } from '../../../../database/tables/pulls.ts';
import { type PackedRefs, readPackedRefs } from '../../../../git/refs/packed-refs.ts';
import { isObjectId, type ObjectFormat, zeroObjectId } from '../../../../git/repository.ts';
import { DEFAULT_VOLUME } from '../../../../git/volumes.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Mergeability by Gitea's number (models/issues/pull.go, `PullRequestStatus`). */
const STATUSES: readonly PullStatus[] = ['conflict', 'checking', 'mergeable', 'manually_merged', 'error', 'empty', 'ancestor'];
/** Gitea's number of pushes to `refs/for/` (`PullRequestFlow`). */
const AGIT = 1;

const STYLES: readonly MergeStyle[] = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only', 'manually-merged'];

/** Pull requests; the refs of their heads were copied with the repositories. */
export const pulls: Step = {
  name: 'pull requests',
  table: 'pull_request',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const repositories = await batch.existingOf('repositories', rows, 'head_repo_id');
    const formats = await formatsOf(rows, batch);
    const heads = new HeadReader(batch);
    for (const row of rows) {
      const format = formats.get(row.integer('base_repo_id'));
      if (format === undefined || !issues.has(row.integer('issue_id'))) continue;
      const isMerged = row.flag('has_merged');
      const status = STATUSES[row.integer('status')] ?? 'checking';
      const { head, base } = heads.read(row, format);
      const source = row.reference('head_repo_id');
      batch.add('pull_requests', {
        id: row.id,
        issue_id: row.integer('issue_id'),
        repository_id: row.integer('base_repo_id'),
        number: row.integer('index'),
        base_branch: row.line('base_branch'),
        head_repository_id: source !== null && repositories.has(source) ? source : null,
        head_branch: row.line('head_branch'),
        flow: row.integer('flow') === AGIT ? 'agit' : 'branch',
        head_id: head,
        merge_base: row.line('merge_base', 64),
        allow_maintainer_edit: row.flag('allow_maintainer_edit'),
        // Gitea's result is about the current commits of branch and head.
        status,
        checked_base_id: status === 'checking' ? '' : base,
        checked_head_id: status === 'checking' ? '' : head,
        conflicted_files: JSON.stringify(row.texts('conflicted_files')),
        changed_protected_files: JSON.stringify(row.texts('changed_protected_files')),
        commits_ahead: Math.max(0, row.integer('commits_ahead')),
        commits_behind: Math.max(0, row.integer('commits_behind')),
        merged_commit_id: isMerged ? row.line('merged_commit_id', 64) : '',
        merge_style: isMerged && status === 'manually_merged' ? 'manually-merged' : '',
        merger_id: isMerged ? row.integer('merger_id') : null,
      });
    }
  },
};

/** Merges that are scheduled for when the checks succeed. */
export const autoMerges: Step = {
  name: 'scheduled merges',
  table: 'pull_auto_merge',
  run: async (rows, batch) => {
    const ids = rows.map((row) => row.integer('pull_id'));
    const pulls = await batch.context.db.selectFrom('pull_requests').select('id').where('id', 'in', ids).execute();
    const users = await batch.existingOf('users', rows, 'doer_id');
    for (const row of rows) {
      const style = STYLES.find((style) => style === row.text('merge_style'));
      const isThere = pulls.some(({ id }) => id === row.integer('pull_id')) && users.has(row.integer('doer_id'));
      if (!isThere || style === undefined) continue;
      batch.add('pull_auto_merges', {
        pull_id: row.integer('pull_id'),
        actor_id: row.integer('doer_id'),
        style,
        message: row.text('message'),
        delete_branch: row.flag('delete_branch_after_merge'),
        created_at: row.time('created_unix'),
      });
    }
  },
};

async function formatsOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, ObjectFormat>> {
  const ids = [...new Set(rows.map((row) => row.integer('base_repo_id')))];
  const found = await batch.context.db.selectFrom('repositories').select(['id', 'object_format']).where('id', 'in', ids).execute();
  return new Map(found.map(({ id, object_format }) => [id, object_format]));
}

/** Reads heads and bases from the copied refs; caches the refs of the last repository. */
class HeadReader {
  readonly #batch: Batch;
  #last: { id: number; packed: PackedRefs } | undefined;

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  /** The commits of the head and of the base branch. If git has no ref of the head, it is the merge base. */
  read(row: Row, format: ObjectFormat): { head: string; base: string } {
    const { context, isDryRun } = this.#batch.run;
    const id = row.integer('base_repo_id');
    if (isDryRun) return { head: '', base: '' };
    if (this.#last?.id !== id)
      this.#last = { id, packed: readPackedRefs(context.git.locate({ id, object_format: format, volume: DEFAULT_VOLUME }).path) };
    const { packed } = this.#last;
    const base = packed.get(`refs/heads/${row.line('base_branch')}`)?.oid ?? '';
    const head = packed.get(`refs/pull/${row.integer('index')}/head`)?.oid;
    if (head !== undefined) return { head, base };
    this.#batch.note(`pull request ${row.id}`, 'git has no ref of its head: it shows no changes');
    const start = row.line('merge_base', 64);
    return { head: isObjectId(start, format) ? start : zeroObjectId(format), base };
  }
}
