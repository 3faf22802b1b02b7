import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared, preparedIn } from '../../database/prepared.ts';
import type { LabelRow } from '../../database/tables/issues.ts';
import { unprocessable } from '../../http/errors.ts';
import { countInLabels } from '../counters.ts';
import { issueEvent } from '../event.ts';
import type { Issue } from '../find.ts';
import { exclusiveScope } from '../labels/present.ts';
import { labelsOf } from '../present.ts';
import { addEvent } from '../timeline/events.ts';

/** Labels of an issue: lists show all of them for fifty issues. */
const MAX_LABELS = 250;

function usable(db: Db, repositoryId: number, ownerId: number) {
  return db
    .selectFrom('labels')
    .selectAll()
    .where((where) => where.or([where('repository_id', '=', repositoryId), where('organization_id', '=', ownerId)]))
    .orderBy('name')
    .orderBy('id');
}

const usableById = preparedIn((db, ids, repositoryId: number, ownerId: number) => usable(db, repositoryId, ownerId).where('id', 'in', ids));
const usableByName = preparedIn((db, names: readonly string[], repositoryId: number, ownerId: number) =>
  usable(db, repositoryId, ownerId).where('name', 'in', names),
);
const addRow = prepared((db, issueId: number, labelId: number) =>
  db.insertInto('issue_labels').values({ issue_id: issueId, label_id: labelId }),
);

/** The labels with these ids that issues of the repository can have, sorted by name; others are left out. */
export async function usableLabels(
  { db }: Context,
  { repository }: Pick<Issue, 'repository'>,
  ids: readonly number[],
): Promise<LabelRow[]> {
  return await usableById(db, ids, repository.id, repository.owner_id);
}

/** The labels with these names that issues of the repository can have, including those of the organization, sorted by name. */
export async function usableLabelsByName(
  { db }: Context,
  { repository }: Pick<Issue, 'repository'>,
  names: readonly string[],
): Promise<LabelRow[]> {
  return await usableByName(db, names, repository.id, repository.owner_id);
}

/** The labels of a new issue, all of them: as clients expect, scopes do not matter then. Part of its opening. @throws HttpError 422 for too many */
export async function firstLabels(context: Context, issue: Issue, labels: readonly LabelRow[]): Promise<void> {
  if (labels.length > MAX_LABELS) throw tooMany();
  const change = new LabelChange(context, issue, []);
  for (const label of labels.toSorted((a, b) => a.id - b.id)) await change.add(label, { alone: false });
  await change.finish();
}

/** Adds labels; each removes the others of its exclusive scope. The caller holds the lock of the issues. */
export async function addLabels(context: Context, issue: Issue, labels: readonly LabelRow[]): Promise<void> {
  const change = new LabelChange(context, issue, await currentLabels(context, issue));
  for (const label of labels) await change.add(label);
  await change.finish();
}

/** Replaces the labels of the issue; of one exclusive scope the last counts. The caller holds the lock of the issues. */
export async function replaceLabels(
  context: Context,
  issue: Issue,
  labels: readonly LabelRow[],
  options: { isSilent?: true } = {},
): Promise<void> {
  const wanted = labels.filter((label, index) => {
    const scope = exclusiveScope(label);
    return scope === '' || !labels.slice(index + 1).some((later) => exclusiveScope(later) === scope);
  });
  const current = await currentLabels(context, issue);
  const change = new LabelChange(context, issue, current);
  for (const label of [...wanted].sort((a, b) => a.id - b.id)) await change.add(label);
  for (const label of current.toSorted((a, b) => a.id - b.id)) if (!wanted.some(({ id }) => id === label.id)) await change.remove(label);
  await change.finish(options);
}

/** Removes labels; those that the issue does not have are ignored. The caller holds the lock of the issues. */
export async function removeLabels(context: Context, issue: Issue, labels: readonly Pick<LabelRow, 'id'>[]): Promise<void> {
  const current = await currentLabels(context, issue);
  const change = new LabelChange(context, issue, current);
  for (const label of current) if (labels.some(({ id }) => id === label.id)) await change.remove(label);
  await change.finish();
}

/** Removes all labels. The caller holds the lock of the issues. */
export async function clearLabels(context: Context, issue: Issue): Promise<void> {
  const current = await currentLabels(context, issue);
  const change = new LabelChange(context, issue, current);
  for (const label of current) await change.remove(label);
  await change.finish({ cleared: true });
}

function tooMany() {
  return unprocessable(`an issue has at most ${MAX_LABELS} labels`);
}

/** The labels that an issue has. */
export async function currentLabels(context: Context, issue: Issue): Promise<LabelRow[]> {
  return (await labelsOf(context, [issue.id])).get(issue.id) ?? [];
}

/** One change of an issue's labels: timeline rows as it proceeds, counts and one event at its end, even if nothing has changed. */
class LabelChange {
  readonly #context: Context;
  readonly #issue: Issue;
  #current: LabelRow[];
  readonly #added = new Set<number>();
  readonly #removed = new Set<number>();

  constructor(context: Context, issue: Issue, current: readonly LabelRow[]) {
    this.#context = context;
    this.#issue = issue;
    this.#current = [...current];
  }

  /** @param alone whether it removes the others of its exclusive scope */
  async add(label: LabelRow, { alone = true } = {}): Promise<void> {
    if (this.#current.some(({ id }) => id === label.id)) return;
    const scope = alone ? exclusiveScope(label) : '';
    if (scope !== '') for (const other of this.#current) if (exclusiveScope(other) === scope) await this.remove(other);
    await addRow(this.#context.db, this.#issue.id, label.id);
    await addEvent(this.#context, this.#issue, 'label', { label_id: label.id, body: '1' });
    this.#current = [...this.#current, label];
    if (!this.#removed.delete(label.id)) this.#added.add(label.id);
  }

  async remove(label: LabelRow): Promise<void> {
    if (!this.#current.some(({ id }) => id === label.id)) return;
    await this.#context.db.deleteFrom('issue_labels').where('issue_id', '=', this.#issue.id).where('label_id', '=', label.id).execute();
    await addEvent(this.#context, this.#issue, 'label', { label_id: label.id });
    this.#current = this.#current.filter(({ id }) => id !== label.id);
    if (!this.#added.delete(label.id)) this.#removed.add(label.id);
  }

  /** @throws HttpError 422 when the issue has too many now */
  async finish({ cleared = false, ...options }: { cleared?: boolean; isSilent?: true } = {}): Promise<void> {
    const [added, removed] = [[...this.#added], [...this.#removed]];
    if (added.length > 0 && this.#current.length > MAX_LABELS) throw tooMany();
    const isClosed = this.#issue.is_closed;
    await countInLabels(this.#context, added, { issues: 1, closed: isClosed ? 1 : 0 });
    await countInLabels(this.#context, removed, { issues: -1, closed: isClosed ? -1 : 0 });
    const event = { ...issueEvent(this.#context, this.#issue), added, removed, cleared, ...options };
    await this.#context.events.emit(this.#context, 'issue.labels-changed', event);
  }
}
