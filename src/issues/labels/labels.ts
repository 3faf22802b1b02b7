import type { Updateable } from 'kysely';
import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { deleteReferring } from '../../database/delete-referring.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { LabelRow, LabelsTable } from '../../database/tables/issues.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { type Page, totalOf } from '../../http/paging.ts';
import { normalizeColor } from './color.ts';
import type { LabelOwnerNames } from './present.ts';

/** The owner of labels: a repository or an organization. */
export type LabelOwner = { readonly repository: Repository } | { readonly organization: User };

/** The fields of a label; for an existing one, missing fields stay. */
export interface LabelOptions {
  name?: string | undefined;
  description?: string | undefined;
  /** Three or six hexadecimal digits, with or without `#`. */
  color?: string | undefined;
  isExclusive?: boolean | undefined;
  isArchived?: boolean | undefined;
}

/** The orders of lists of labels. */
export const LABEL_SORTS = ['alphabetically', 'reversealphabetically', 'leastissues', 'mostissues'] as const;
export type LabelSort = (typeof LABEL_SORTS)[number];

/** The names in the URL of an owner's labels. */
export function ownerNamesOf(owner: LabelOwner): LabelOwnerNames {
  return 'repository' in owner ? owner.repository : { owner: owner.organization, name: '' };
}

/** The columns of a label's owner. */
export function ownerColumns(owner: LabelOwner): { repository_id: number } | { organization_id: number } {
  return 'repository' in owner ? { repository_id: owner.repository.id } : { organization_id: owner.organization.id };
}

/** A query for the labels of a repository or an organization, to be refined. */
export function labelsOf(db: Db, owner: LabelOwner) {
  const labels = db.selectFrom('labels');
  return 'repository' in owner
    ? labels.where('labels.repository_id', '=', owner.repository.id)
    : labels.where('labels.organization_id', '=', owner.organization.id);
}

/** The labels of a repository or an organization, by name by default. */
export async function listLabels(
  { db }: Context,
  owner: LabelOwner,
  page: Page,
  sort: LabelSort = 'alphabetically',
): Promise<{ labels: LabelRow[]; total: number }> {
  const column = sort === 'leastissues' || sort === 'mostissues' ? 'labels.issues_count' : 'labels.name';
  const labels = await labelsOf(db, owner)
    .selectAll()
    .orderBy(column, sort === 'reversealphabetically' || sort === 'mostissues' ? 'desc' : 'asc')
    .orderBy('labels.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const count = () =>
    labelsOf(db, owner)
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
  return { labels, total: await totalOf(page, labels, count) };
}

/**
 * The label of this owner with this id, or with this name if it is not a number. A label of another owner is not found,
 * whatever its id.
 * @throws HttpError 404
 */
export async function getLabel({ db }: Pick<Context, 'db'>, owner: LabelOwner, idOrName: string): Promise<LabelRow> {
  const id = readId(idOrName);
  const found = labelsOf(db, owner).selectAll();
  const label = await (id === undefined ? found.where('labels.name', '=', idOrName) : found.where('labels.id', '=', id))
    .orderBy('labels.id')
    .executeTakeFirst();
  if (!label) throw notFound();
  return label;
}

/**
 * The label of this owner with this id, for a change: only ids count there.
 * @throws HttpError 404
 */
export async function getLabelById(context: Pick<Context, 'db'>, owner: LabelOwner, id: string): Promise<LabelRow> {
  if (readId(id) === undefined) throw notFound();
  return await getLabel(context, owner, id);
}

/** @throws HttpError 422 for an invalid color */
export async function createLabel(
  context: Context,
  owner: LabelOwner,
  options: LabelOptions & { name: string; color: string },
): Promise<LabelRow> {
  const time = now();
  return context.db
    .insertInto('labels')
    .values({
      ...ownerColumns(owner),
      name: options.name,
      description: options.description ?? '',
      color: normalizeColor(options.color),
      is_exclusive: options.isExclusive ?? false,
      archived_at: options.isArchived ? time : null,
      created_at: time,
      updated_at: time,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Changes a label. It becomes active again unless it is set to archived.
 * @throws HttpError 422 for an invalid color, or an empty name
 */
export async function editLabel(context: Context, label: LabelRow, options: LabelOptions): Promise<LabelRow> {
  if (options.name === '') throw unprocessable('[Name]: Required');
  const time = now();
  const changes: Updateable<LabelsTable> = { archived_at: options.isArchived ? (label.archived_at ?? time) : null, updated_at: time };
  if (options.name !== undefined) changes.name = options.name;
  if (options.description !== undefined) changes.description = options.description;
  if (options.color !== undefined) changes.color = normalizeColor(options.color);
  if (options.isExclusive !== undefined) changes.is_exclusive = options.isExclusive;
  return context.db.updateTable('labels').set(changes).where('id', '=', label.id).returningAll().executeTakeFirstOrThrow();
}

/** Deletes the label of this owner with this id, from issues and from their timelines; does nothing if there is none. */
export async function deleteLabel(context: Context, owner: LabelOwner, id: string): Promise<void> {
  const labelId = readId(id);
  if (labelId === undefined) return;
  await inTransaction(context, async (context) => {
    const { db } = context;
    const label = await labelsOf(db, owner).select('labels.id').where('labels.id', '=', labelId).executeTakeFirst();
    if (!label) return;
    await deleteReferring(context, 'labels', [label.id]);
    await db.deleteFrom('labels').where('id', '=', label.id).execute();
  });
}

function readId(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : 0;
}
