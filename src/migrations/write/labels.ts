import { now } from '../../clock.ts';
import { inTransaction } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { normalizeColor } from '../../issues/labels/color.ts';
import type { SourceLabel } from '../source/source.ts';
import type { Target } from './run.ts';

const MAX_NAME = 600;
const MAX_DESCRIPTION = 4096;

/** Writes a page of labels. Existing names are left out: issues refer to labels by name. */
export async function writeLabels({ context, repository }: Target, labels: readonly SourceLabel[]): Promise<void> {
  const byName = new Map(labels.map((label) => [labelName(label.name), label]));
  byName.delete('');
  if (byName.size === 0) return;
  await inTransaction(context, async ({ db }) => {
    const there = await db
      .selectFrom('labels')
      .select('name')
      .where('repository_id', '=', repository.id)
      .where('name', 'in', [...byName.keys()])
      .execute();
    for (const { name } of there) byName.delete(name);
    if (byName.size === 0) return;
    const time = now();
    const rows = [...byName].map(([name, { color, description, isExclusive }]) => ({
      repository_id: repository.id,
      name,
      color: colorOf(color),
      description: description.slice(0, MAX_DESCRIPTION).toWellFormed(),
      // Only a name with a scope can exclude others.
      is_exclusive: isExclusive && name.lastIndexOf('/') > 0,
      created_at: time,
      updated_at: time,
    }));
    await db.insertInto('labels').values(rows).execute();
  });
}

/** The name under which a label of a source is stored. */
export function labelName(name: string): string {
  return name.trim().slice(0, MAX_NAME).toWellFormed();
}

function colorOf(color: string): string {
  try {
    return normalizeColor(color);
  } catch (error) {
    if (error instanceof HttpError) return 'ffffff';
    throw error;
  }
}
