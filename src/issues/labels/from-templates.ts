import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { NewRepositoryEvent } from '../../events/events.ts';
import { unprocessable } from '../../http/errors.ts';
import { labelsFromTemplate } from '../../instance/templates/labels.ts';
import { UnknownTemplateError } from '../../instance/templates/unknown-template.ts';
import { type LabelOwner, ownerColumns } from './labels.ts';

/**
 * Gives a new repository the labels of its label template, and those of its template repository.
 * @throws HttpError 422 when there is no such template
 */
export async function createFirstLabels({ repositoryId, labelTemplate, from }: NewRepositoryEvent, context: Context): Promise<void> {
  if (labelTemplate) await createLabelsFromTemplate(context, { repository_id: repositoryId }, labelTemplate);
  if (from?.labels) await copyLabels(context, from.repositoryId, repositoryId);
}

async function createLabelsFromTemplate({ db }: Context, owner: ReturnType<typeof ownerColumns>, template: string): Promise<void> {
  const time = now();
  await db
    .insertInto('labels')
    .values(
      templateLabels(template).map((label) => ({
        ...owner,
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

async function copyLabels({ db }: Context, from: number, to: number): Promise<void> {
  const labels = await db.selectFrom('labels').selectAll().where('repository_id', '=', from).orderBy('id').execute();
  if (labels.length === 0) return;
  const time = now();
  await db
    .insertInto('labels')
    .values(
      labels.map((label) => ({
        repository_id: to,
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

/**
 * Adds the labels of a template to a repository or an organization.
 * @throws HttpError 422 when there is no such template
 */
export async function addTemplateLabels(context: Context, owner: LabelOwner, template: string): Promise<void> {
  await inTransaction(context, (context) => createLabelsFromTemplate(context, ownerColumns(owner), template));
}
