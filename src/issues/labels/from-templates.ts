import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { labelsFromTemplate } from '../../instance/templates/labels.ts';
import { UnknownTemplateError } from '../../instance/templates/unknown-template.ts';
import type { Repository } from '../../repositories/find.ts';
import { type LabelOwner, ownerColumns } from './labels.ts';

/**
 * Gives a repository or an organization the labels of the template of this name.
 * @throws HttpError 422 when there is no such template
 */
export async function createLabelsFromTemplate({ db }: Context, owner: LabelOwner, template: string): Promise<void> {
  const time = now();
  await db
    .insertInto('labels')
    .values(
      templateLabels(template).map((label) => ({
        ...ownerColumns(owner),
        name: label.name,
        description: label.description,
        color: label.color,
        is_exclusive: label.exclusive,
        exclusive_order: label.exclusiveOrder,
        created_at: time,
        updated_at: time,
      })),
    )
    .execute();
}

/** Gives a repository the labels of another: when it is made from a template repository. */
export async function copyLabels({ db }: Context, from: Pick<Repository, 'id'>, to: Pick<Repository, 'id'>): Promise<void> {
  const labels = await db.selectFrom('labels').selectAll().where('repository_id', '=', from.id).orderBy('id').execute();
  if (labels.length === 0) return;
  const time = now();
  await db
    .insertInto('labels')
    .values(
      labels.map((label) => ({
        repository_id: to.id,
        name: label.name,
        description: label.description,
        color: label.color,
        is_exclusive: label.is_exclusive,
        exclusive_order: label.exclusive_order,
        archived_at: label.archived_at,
        created_at: time,
        updated_at: time,
      })),
    )
    .execute();
}

function templateLabels(template: string) {
  try {
    return labelsFromTemplate(template);
  } catch (error) {
    throw error instanceof UnknownTemplateError ? unprocessable(error.message) : error;
  }
}
