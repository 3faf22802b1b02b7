import type { Repository } from '../access/find-repository.ts';
import { statesOfCommits } from '../code/statuses/of-commits.ts';
import type { StatusState } from '../code/statuses/statuses.ts';
import type { Context } from '../context.ts';
import type { Issue } from '../issues/find.ts';

/** The combined decision of reviewers: changes requested, review requested, or approved. */
export type Decision = 'reject' | 'request' | 'approve';

/** The state of an open pull request in lists: how far it is from being merged. */
export interface ListedState {
  readonly hasConflict: boolean;
  readonly decision: Decision | undefined;
  /** The latest state of each check of its head. */
  readonly checks: readonly StatusState[];
}

/** The {@link ListedState}s of the open pull requests among the issues, by the id of the issue. */
export async function listedStates(context: Context, issues: readonly Issue[]): Promise<Map<number, ListedState>> {
  const open = issues.filter((issue) => issue.is_pull && !issue.is_closed);
  const ids = open.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const pulls = await context.db
    .selectFrom('pull_requests')
    .select(['issue_id', 'head_id', 'status'])
    .where('issue_id', 'in', ids)
    .execute();
  const decisions = await decisionsOf(context, ids);
  const states = new Map<number, ListedState>();
  for (const [repository, own] of byRepository(open)) {
    const heads = pulls.filter(({ issue_id: id }) => own.some((issue) => issue.id === id));
    const shas = heads.map(({ head_id: sha }) => sha);
    const checks = await statesOfCommits(context, repository, shas);
    for (const { issue_id: id, head_id: sha, status } of heads)
      states.set(id, { hasConflict: status === 'conflict', decision: decisions.get(id), checks: checks.get(sha) ?? [] });
  }
  return states;
}

function byRepository(issues: readonly Issue[]): readonly (readonly [Repository, readonly Issue[]])[] {
  const groups = Map.groupBy(issues, ({ repository_id: id }) => id);
  return [...groups.values()].flatMap((own) => (own[0] ? [[own[0].repository, own] as const] : []));
}

/** The latest decision of each reviewer counts, and of those the one that needs the most work. */
async function decisionsOf({ db }: Pick<Context, 'db'>, issueIds: readonly number[]): Promise<Map<number, Decision>> {
  const rows = await db
    .selectFrom('reviews')
    .select(['issue_id', 'type'])
    .where('id', 'in', (select) =>
      select
        .selectFrom('reviews as latest')
        .select((of) => of.fn.max('latest.id').as('id'))
        .where('latest.issue_id', 'in', issueIds)
        .where('latest.type', 'in', ['approve', 'reject', 'request'])
        .where('latest.is_dismissed', '=', false)
        .groupBy(['latest.issue_id', 'latest.reviewer_id', 'latest.reviewer_team_id']),
    )
    .execute();
  const types = Map.groupBy(rows, ({ issue_id: id }) => id);
  const decision = (own: typeof rows) => (['reject', 'request', 'approve'] as const).find((type) => own.some((row) => row.type === type));
  return new Map([...types].flatMap(([id, own]) => [[id, decision(own)] as const]).filter(hasDecision));
}

function hasDecision(entry: readonly [number, Decision | undefined]): entry is readonly [number, Decision] {
  return entry[1] !== undefined;
}
