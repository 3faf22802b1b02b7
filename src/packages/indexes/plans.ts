import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { withMutex } from '../../git/mutex.ts';
import type { FileName } from '../registry/find.ts';
import type { IndexBuilder } from './build.ts';
import { cachedPlan, cachePlan, documentName } from './cached-plans.ts';
import { ComposedDocument, type DocumentPlan } from './composed.ts';

const markOf = prepared((db, ownerId: number, type: PackageType, key: string) =>
  db
    .selectFrom('package_indexes')
    .select(['wanted', 'built'])
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('key', '=', key),
);

/**
 * The plan of an index document that was marked and has not been written as a file since; undefined if it has its
 * file, or has no blocks.
 */
export async function planDocument(
  context: Context,
  builder: IndexBuilder,
  { owner, type }: { owner: User; type: PackageType },
  key: string,
  { name, compositeKey = '' }: FileName,
): Promise<DocumentPlan | undefined> {
  const [mark] = await markOf(context.db, owner.id, type, key);
  if (!mark || mark.built >= mark.wanted) return undefined;
  const { wanted } = mark;
  const document = documentName({ ownerId: owner.id, type, key }, { name, compositeKey });
  const current = () => cachedPlan(context, document, wanted);
  return (
    current() ??
    (await withMutex(`package document ${document}`, async () => {
      const made = current();
      if (made) return made;
      const files = await builder(context, owner, key);
      const file = files.find((one) => one.name === name && (one.compositeKey ?? '') === compositeKey);
      if (!(file?.content instanceof ComposedDocument)) return undefined;
      const plan = await file.content.plan();
      cachePlan(context, document, wanted, plan);
      return plan;
    }))
  );
}
