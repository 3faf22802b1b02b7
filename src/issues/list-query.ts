import type { Repository } from '../access/find-repository.ts';
import { findUser } from '../access/find-user.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { pageQuery, query } from '../http/route.ts';
import { readTimeRange, timeRangeQuery } from '../http/time-range.ts';
import type { IssueFilter } from './issue-filter.ts';
import { usableLabelsByName } from './issue-labels/issue-labels.ts';

/** The query parameters of a repository's list of issues. */
export const listQuery = {
  state: query.string('whether open, closed or all; open when left out', { enum: ['closed', 'open', 'all'] }),
  labels: query.string('comma-separated names of labels: only what has all of them; unknown names are ignored'),
  q: query.string('words to look for in titles, texts and comments'),
  type: query.string('only issues, or only pull requests', { enum: ['issues', 'pulls'] }),
  milestones: query.string('comma-separated titles, or ids, of milestones: only what is in one of them; unknown ones are ignored'),
  ...timeRangeQuery,
  created_by: query.string('only what this user opened'),
  assigned_by: query.string('only what this user is assigned to'),
  mentioned_by: query.string('only what this user is mentioned in'),
  ...pageQuery,
};

type Given<Q> = { [K in keyof Q]?: string | undefined };

const MAX_NAMES = 100;

/**
 * The filter of the parameters.
 * @throws HttpError 404 for unknown users and units that the caller cannot read, 422 for an invalid time
 */
export async function readListFilter(
  context: Context,
  { repository, access }: { repository: Repository; access: RepositoryAccess },
  given: Given<Omit<typeof listQuery, 'page' | 'limit'>>,
): Promise<IssueFilter> {
  const span = readTimeRange(given);
  const isPull = kindShown(access, readKind(given.type));
  const authorId = await userId(context, given.created_by);
  const assigneeId = await userId(context, given.assigned_by);
  const mentionedId = await userId(context, given.mentioned_by);
  return {
    isPull,
    isClosed: readState(given.state),
    words: readWords(given.q),
    labels: await labelSets(context, repository, names(given.labels)),
    milestoneIds: await milestoneIds(context, repository, names(given.milestones)),
    authorId,
    assigneeId,
    mentionedId,
    span,
  };
}

/** `state`: undefined for all; an unknown word means open. */
export function readState(state: string | undefined): boolean | undefined {
  return state === 'all' ? undefined : state === 'closed';
}

/** `type`: whether pull requests; undefined for both. */
export function readKind(type: string | undefined): boolean | undefined {
  return type === 'pulls' ? true : type === 'issues' ? false : undefined;
}

/** `q`: characters that no text can contain are ignored. */
export function readWords(q: string | undefined): string | undefined {
  const words = q?.trim().slice(0, 1000) ?? '';
  return words === '' || words.includes('\0') ? undefined : words;
}

/** A comma-separated list. */
export function names(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .filter((name) => name !== '')
    .slice(0, MAX_NAMES);
}

/**
 * The id of the user of this name, undefined for none.
 * @throws HttpError 404
 */
export async function userId({ db }: Context, name: string | undefined): Promise<number | undefined> {
  if (!name) return undefined;
  const user = await findUser(db, name);
  if (!user) throw notFound([`user does not exist [uid: 0, name: ${name}]`]);
  return user.id;
}

function kindShown(access: RepositoryAccess, isPull: boolean | undefined): boolean | undefined {
  const [issues, pulls] = [access.canRead('issues'), access.canRead('pulls')];
  if (!(isPull === undefined ? issues || pulls : isPull ? pulls : issues)) throw notFound();
  return isPull ?? (issues && pulls ? undefined : pulls);
}

async function labelSets(context: Context, repository: Repository, given: readonly string[]): Promise<number[][]> {
  const labels = await usableLabelsByName(context, { repository }, given);
  return [...Map.groupBy(labels, ({ name }) => name).values()].map((same) => same.map(({ id }) => id));
}

async function milestoneIds({ db }: Context, repository: Repository, given: readonly string[]): Promise<number[] | undefined> {
  if (given.length === 0) return undefined;
  const numbers = given.filter((name) => /^\d{1,15}$/.test(name)).map(Number);
  const rows = await db
    .selectFrom('milestones')
    .select(['id', 'title'])
    .where('repository_id', '=', repository.id)
    .where((where) => where.or([where('title', 'in', [...given]), ...(numbers.length > 0 ? [where('id', 'in', numbers)] : [])]))
    .orderBy('id')
    .execute();
  return [
    ...new Set(given.flatMap((name) => (rows.find((row) => row.title === name) ?? rows.find((row) => String(row.id) === name))?.id ?? [])),
  ];
}
