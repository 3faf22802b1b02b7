import { now } from '../../clock.ts';
import { eachOf } from '../../concurrency/each-of.ts';
import { type Context, inTransaction } from '../../context.ts';
import { isValidRefName } from '../../git/refs/ref-names.ts';
import { indexIssue } from '../../issues/search/index.ts';
import { limitTitle } from '../../issues/title.ts';
import type { SourceIssue } from '../source/source.ts';
import { discardFiles, type NewFile, storeAssets } from './assets.ts';
import { labelName } from './labels.ts';
import { type AttributedReaction, attributeReactions, insertReactions } from './reactions.ts';
import type { Target } from './run.ts';

/** An issue or pull request of the source, and the id of its row. */
export interface WrittenIssue<T extends SourceIssue> {
  readonly id: number;
  readonly source: T;
}

/** The additional data in the issue row of a pull request. */
export interface IssueExtras {
  readonly is_pull?: boolean;
  readonly merged_at?: number | null;
}

/** The ids of the labels and milestones that a page of issues names. */
interface Links {
  readonly labels: ReadonlyMap<string, number>;
  readonly milestones: ReadonlyMap<string, number>;
}

/** Numbers that a row can have and that leave room for those to come. */
const MAX_NUMBER = 2_000_000_000;
/** Assignees and labels of one issue; more are left out. */
const MAX_ASSIGNEES = 100;
const MAX_LABELS = 1000;
/** Characters of the texts that one transaction writes. */
const CHARACTERS = 500_000;
/** Number of issues whose reactions and files are read at once. */
const AT_ONCE = 4;
/** Names that one query looks for. */
const NAMES = 500;

/**
 * Writes a page of issues or pull requests with their labels, assignees, reactions and files, some in each transaction. Numbers that are there
 * already are left out: pages shift while they are read, and a source may use one number twice.
 * @param together other rows written with each, in the same transaction
 */
export async function writeIssueRows<T extends SourceIssue>(
  target: Target,
  given: readonly T[],
  extras: (issue: T) => IssueExtras,
  together?: (context: Context, written: WrittenIssue<T>) => Promise<void>,
): Promise<WrittenIssue<T>[]> {
  const issues = await newOnes(target, given);
  const links = await linksOf(target, issues);
  const prepared: Prepared<T>[] = [];
  try {
    await eachOf(issues, AT_ONCE, async (source) => {
      const row = { ...(await rowOf(target, source, links)), ...extras(source) };
      prepared.push({ source, row, details: await detailsOf(target, source, row.created_at, links) });
    });
    prepared.sort((a, b) => a.row.number - b.row.number);
    const written: WrittenIssue<T>[] = [];
    for (const some of batches(prepared)) written.push(...(await insertAll(target, some, together)));
    return written;
  } catch (error) {
    await discardFiles(
      target.context,
      prepared.flatMap(({ details }) => details.files),
    );
    throw error;
  }
}

/** An issue that is ready to be written. */
interface Prepared<T> {
  readonly source: T;
  readonly row: Awaited<ReturnType<typeof rowOf>> & IssueExtras;
  readonly details: Details;
}

/** Splits a page so that no transaction has too much text: each is indexed in it. */
function* batches<T>(prepared: readonly Prepared<T>[]): Generator<Prepared<T>[]> {
  let batch: Prepared<T>[] = [];
  let characters = 0;
  for (const one of prepared) {
    batch.push(one);
    characters += one.row.body.length;
    if (characters < CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

async function insertAll<T extends SourceIssue>(
  { context, repository }: Target,
  prepared: readonly Prepared<T>[],
  together?: (context: Context, written: WrittenIssue<T>) => Promise<void>,
): Promise<WrittenIssue<T>[]> {
  return await inTransaction(context, async (context) => {
    const written: WrittenIssue<T>[] = [];
    for (const { source, row, details } of prepared) {
      const { id } = await context.db.insertInto('issues').values(row).returning('id').executeTakeFirstOrThrow();
      await indexIssue(context, { ...row, id });
      await insertDetails(context, repository.id, id, details);
      await together?.(context, { id, source });
      written.push({ id, source });
    }
    return written;
  });
}

async function newOnes<T extends SourceIssue>({ context, repository }: Target, given: readonly T[]): Promise<T[]> {
  const byNumber = new Map<number, T>();
  for (const issue of given) if (issue.number <= MAX_NUMBER && !byNumber.has(issue.number)) byNumber.set(issue.number, issue);
  if (byNumber.size === 0) return [];
  const there = await context.db
    .selectFrom('issues')
    .select('number')
    .where('repository_id', '=', repository.id)
    .where('number', 'in', [...byNumber.keys()])
    .execute();
  for (const { number } of there) byNumber.delete(number);
  return [...byNumber.values()];
}

async function linksOf({ context: { db }, repository }: Target, issues: readonly SourceIssue[]): Promise<Links> {
  const names = [...new Set(issues.flatMap(({ labels }) => labels.slice(0, MAX_LABELS).map(labelName)))];
  const titles = [...new Set(issues.map(({ milestone }) => titleOf(milestone)))];
  const labels = new Map<string, number>();
  for (let at = 0; at < names.length; at += NAMES) {
    const some = names.slice(at, at + NAMES);
    const rows = await db
      .selectFrom('labels')
      .select(['id', 'name'])
      .where('repository_id', '=', repository.id)
      .where('name', 'in', some)
      .execute();
    for (const { id, name } of rows) labels.set(name, id);
  }
  const rows =
    titles.length === 0
      ? []
      : await db
          .selectFrom('milestones')
          .select(['id', 'title'])
          .where('repository_id', '=', repository.id)
          .where('title', 'in', titles)
          .execute();
  return { labels, milestones: new Map(rows.map(({ id, title }) => [title, id])) };
}

const titleOf = (milestone: string) => milestone.trim().slice(0, 255);

async function rowOf(target: Target, issue: SourceIssue, { milestones }: Links) {
  const createdAt = issue.createdAt ?? issue.closedAt ?? now();
  const updatedAt = issue.updatedAt ?? issue.closedAt ?? createdAt;
  const { maxPinned } = target.context.settings.issues;
  return {
    repository_id: target.repository.id,
    number: issue.number,
    ...(await target.people.attribute(issue.author)),
    title: limitTitle(issue.title),
    body: issue.body,
    ref: isValidRefName(issue.ref) ? issue.ref : '',
    milestone_id: milestones.get(titleOf(issue.milestone)) ?? null,
    is_closed: issue.isClosed,
    is_locked: issue.isLocked,
    pin_order: issue.pin <= maxPinned ? issue.pin : 0,
    deadline_at: issue.deadline ?? null,
    closed_at: issue.isClosed ? (issue.closedAt ?? updatedAt) : null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

interface Details {
  readonly labelIds: readonly number[];
  readonly assigneeIds: readonly number[];
  readonly reactions: readonly AttributedReaction[];
  readonly files: readonly NewFile[];
}

async function detailsOf(target: Target, issue: SourceIssue, createdAt: number, { labels }: Links): Promise<Details> {
  const assigneeIds = new Set<number>();
  for (const person of issue.assignees.slice(0, MAX_ASSIGNEES)) {
    const id = await target.people.account(person);
    if (id !== undefined) assigneeIds.add(id);
  }
  return {
    labelIds: [...new Set(issue.labels.slice(0, MAX_LABELS).flatMap((name) => labels.get(labelName(name)) ?? []))],
    assigneeIds: [...assigneeIds],
    reactions: issue.reactions ? await attributeReactions(target, await issue.reactions()) : [],
    files: await storeAssets(target, issue.assets, createdAt),
  };
}

async function insertDetails({ db, actor }: Context, repositoryId: number, issueId: number, details: Details): Promise<void> {
  const { labelIds, assigneeIds, reactions, files } = details;
  if (labelIds.length > 0) {
    const rows = labelIds.map((label_id) => ({ issue_id: issueId, label_id }));
    await db.insertInto('issue_labels').values(rows).execute();
  }
  if (assigneeIds.length > 0) {
    const rows = assigneeIds.map((user_id) => ({ issue_id: issueId, user_id }));
    await db.insertInto('issue_assignees').values(rows).execute();
  }
  await insertReactions(db, { issueId, commentId: null }, reactions);
  if (files.length > 0) {
    const about = { repository_id: repositoryId, uploader_id: actor?.id ?? 0, issue_id: issueId };
    await db
      .insertInto('attachments')
      .values(files.map((file) => ({ ...file, ...about })))
      .execute();
  }
}
