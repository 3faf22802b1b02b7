import { sql } from 'kysely';
import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { IssueRow } from '../../database/tables/issues.ts';
import type { ReleaseRow } from '../../database/tables/releases.ts';

/** Some of the issues, pull requests or releases of a period. */
export interface PulseList<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** How many people they are of. */
  readonly people: number;
}

/** Issues and pull requests with activity in a period. Lists that the user may not see are empty. */
export interface Pulse {
  readonly mergedPulls: PulseList<IssueRow>;
  readonly openedPulls: PulseList<IssueRow>;
  readonly closedIssues: PulseList<IssueRow>;
  readonly openedIssues: PulseList<IssueRow>;
  /** Open ones from before the period that something was said about. */
  readonly unresolved: PulseList<IssueRow>;
  readonly releases: PulseList<ReleaseRow>;
}

/** Rows of each list that are read. */
const MAX_LISTED = 50;
const NONE = { rows: [], total: 0, people: 0 } as const;

/** The activity in a repository since a time, as far as the user may see it. */
export async function readPulse({ db }: Pick<Context, 'db'>, { id }: Repository, access: RepositoryAccess, from: number): Promise<Pulse> {
  const [pulls, issues] = [access.canRead('pulls'), access.canRead('issues')];
  const list = (isShown: boolean, given: Given, order: Order) => (isShown ? issueList(given, order) : NONE);
  const all = issuesOf(db, id);
  const opened = all.where('created_at', '>=', from);
  const talked = all.where('is_closed', '=', false).where('created_at', '<', from).where('updated_at', '>=', from);
  const [mergedPulls, openedPulls, closedIssues, openedIssues, unresolved, releases] = await Promise.all([
    list(pulls, all.where('is_pull', '=', true).where('merged_at', '>=', from), 'merged_at'),
    list(pulls, opened.where('is_pull', '=', true).where('is_closed', '=', false), 'created_at'),
    list(issues, all.where('is_pull', '=', false).where('is_closed', '=', true).where('closed_at', '>=', from), 'closed_at'),
    list(issues, opened.where('is_pull', '=', false), 'created_at'),
    list(issues || pulls, issues && pulls ? talked : talked.where('is_pull', '=', pulls), 'updated_at'),
    access.canRead('releases') ? releaseList(db, id, from) : NONE,
  ]);
  return { mergedPulls, openedPulls, closedIssues, openedIssues, unresolved, releases };
}

type Order = 'merged_at' | 'created_at' | 'closed_at' | 'updated_at';
type Given = ReturnType<typeof issuesOf>;

function issuesOf(db: Db, repositoryId: number) {
  return db.selectFrom('issues').where('repository_id', '=', repositoryId);
}

async function issueList(given: Given, order: Order): Promise<PulseList<IssueRow>> {
  const rows = await given.selectAll().orderBy(order, 'desc').orderBy('id', 'desc').limit(MAX_LISTED).execute();
  if (rows.length < MAX_LISTED) return { rows, total: rows.length, people: new Set(rows.map(({ author_id }) => author_id)).size };
  const counts = await given
    .select((select) => [select.fn.countAll().as('total'), sql<number>`count(distinct author_id)`.as('people')])
    .executeTakeFirst();
  return { rows, total: Number(counts?.total ?? 0), people: Number(counts?.people ?? 0) };
}

async function releaseList(db: Db, repositoryId: number, from: number): Promise<PulseList<ReleaseRow>> {
  const given = db
    .selectFrom('releases')
    .where('repository_id', '=', repositoryId)
    .where('is_draft', '=', false)
    .where('created_at', '>=', from);
  const rows = await given.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(MAX_LISTED).execute();
  const counts = await given
    .select((select) => [select.fn.countAll().as('total'), sql<number>`count(distinct publisher_id)`.as('people')])
    .executeTakeFirst();
  return { rows, total: Number(counts?.total ?? 0), people: Number(counts?.people ?? 0) };
}
