import { type Context, inTransaction } from '../context.ts';
import type { MigrationCheckpoint, MigrationRow, MigrationStep } from '../database/tables/migrations.ts';
import { isTopic, MAX_TOPICS, setTopics } from '../repositories/topics/topics.ts';
import type { MigrationBody } from './request.ts';
import { SourceError } from './source/errors.ts';
import { PageCheck } from './source/pages.ts';
import type { Source, SourcePage } from './source/source.ts';
import { writeIssues } from './write/issues.ts';
import { writeLabels } from './write/labels.ts';
import { writeMilestones } from './write/milestones.ts';
import { writePulls } from './write/pulls.ts';
import { writeReleases } from './write/releases.ts';
import type { Target } from './write/run.ts';
import { removeAfter, type StepTable } from './write/undo.ts';

/** The migration has ended while its job was running: somebody cancelled it. */
export class MigrationEndedError extends Error {
  override readonly name = 'MigrationEndedError';
}

/** A step that brings over one list. */
interface ListStep {
  readonly name: MigrationStep;
  readonly table: StepTable;
  readonly isWanted: (body: MigrationBody) => boolean | undefined;
  /** Undefined if the source has no such list. */
  readonly bring: (source: Source, target: Target) => BringPage | undefined;
}

/**
 * Reads the page at a cursor and writes it; returns the next cursor.
 * @param check called with the page before it is written
 */
type BringPage = (cursor: string, check: (page: SourcePage<unknown>) => void) => Promise<string | undefined>;

/** Labels, milestones and releases of one project. */
const MAX_ITEMS = 20_000;
/** Items that are written at a time, however many a page has: a statement has so many parameters at most. */
const AT_ONCE = 500;

const LIST_STEPS: readonly ListStep[] = [
  {
    name: 'milestones',
    table: 'milestones',
    isWanted: ({ milestones }) => milestones,
    bring: (source, target) => bringing(source.milestones?.bind(source), (items) => writeMilestones(target, items)),
  },
  {
    name: 'labels',
    table: 'labels',
    isWanted: ({ labels }) => labels,
    bring: (source, target) => bringing(source.labels?.bind(source), (items) => writeLabels(target, items)),
  },
  {
    name: 'releases',
    table: 'releases',
    isWanted: ({ releases }) => releases,
    bring: (source, target) => bringing(source.releases?.bind(source), (items) => writeReleases(target, items)),
  },
  {
    name: 'issues',
    table: 'issues',
    isWanted: ({ issues }) => issues,
    bring: (source, target) => bringing(source.issues?.bind(source), (items) => writeIssues(target, items)),
  },
  {
    name: 'pulls',
    table: 'issues',
    isWanted: ({ pull_requests: pulls }) => pulls,
    bring: (source, target) => bringing(source.pulls?.bind(source), (items) => writePulls(target, items)),
  },
];

function bringing<T>(list: ((cursor: string) => Promise<SourcePage<T>>) | undefined, write: (items: readonly T[]) => Promise<void>) {
  if (!list) return undefined;
  const bring: BringPage = async (cursor, check) => {
    const page = await list(cursor);
    const { items, next } = page;
    check(page);
    for (let at = 0; at < items.length; at += AT_ONCE) await write(items.slice(at, at + AT_ONCE));
    return next;
  };
  return bring;
}

/** The order of the steps, as of {@link MigrationStep}. */
const ORDER: readonly MigrationStep[] = ['git', 'topics', ...LIST_STEPS.map(({ name }) => name), 'end'];

/** The steps that a request takes; which of them its source has is found out on the way. */
export function wantedSteps(body: MigrationBody): MigrationStep[] {
  return ['git', ...LIST_STEPS.filter(({ isWanted }) => !body.mirror && isWanted(body)).map(({ name }) => name)];
}

/**
 * Migrates everything but the git data, continuing the last attempt.
 * @throws SourceError; MigrationEndedError when it was cancelled
 */
export async function bringLists(target: Target, source: Source, migration: MigrationRow, body: MigrationBody): Promise<void> {
  const { context } = target;
  const { checkpoint } = migration;
  const hasDone = (step: MigrationStep) => ORDER.indexOf(checkpoint.step) > ORDER.indexOf(step);
  if (!hasDone('topics')) {
    target.progress('topics', 0);
    const topics = (await source.topics?.())?.map((topic) => topic.toLowerCase().trim()).filter(isTopic) ?? [];
    if (topics.length > 0) await setTopics(context, target.repository, topics.slice(0, MAX_TOPICS));
  }
  for (const step of LIST_STEPS) {
    const bring = body.mirror || !step.isWanted(body) ? undefined : step.bring(source, target);
    if (!bring || hasDone(step.name)) continue;
    const start = checkpoint.step === step.name ? checkpoint : await firstCheckpoint(target, migration, step);
    await removeAfter(context, target.repository.id, step.table, start.lastId);
    await bringList(target, migration, step, start, bring);
  }
}

async function firstCheckpoint(target: Target, migration: MigrationRow, { name, table }: ListStep): Promise<MigrationCheckpoint> {
  const checkpoint = { step: name, cursor: '', lastId: await lastIdOf(target, table), done: 0 };
  await saveCheckpoint(target.context, migration, checkpoint);
  return checkpoint;
}

async function bringList(
  target: Target,
  migration: MigrationRow,
  { name, table }: ListStep,
  start: MigrationCheckpoint,
  bring: BringPage,
): Promise<void> {
  const { maxIssues } = target.context.settings.migrations;
  const most = table === 'issues' ? maxIssues : MAX_ITEMS;
  let { cursor, done } = start;
  target.progress(name, done);
  const pages = new PageCheck(name);
  for (;;) {
    target.signal.throwIfAborted();
    const next = await bring(cursor, (page) => {
      pages.check(page);
      done += page.items.length;
      if (done > most) throw new SourceError('content', `the project has more than ${most} ${name}`);
    });
    target.progress(name, done);
    if (next === undefined) return;
    cursor = next;
    await saveCheckpoint(target.context, migration, { step: name, cursor, lastId: await lastIdOf(target, table), done });
  }
}

async function lastIdOf({ context: { db }, repository }: Target, table: StepTable): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('repository_id', '=', repository.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/**
 * Records what has been migrated, permanently.
 * @throws MigrationEndedError when it was cancelled
 */
export async function saveCheckpoint(context: Context, { id }: MigrationRow, checkpoint: MigrationCheckpoint): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const { numUpdatedRows } = await db
      .updateTable('repository_migrations')
      .set({ checkpoint: JSON.stringify(checkpoint) })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new MigrationEndedError('the migration was cancelled');
  });
}
