import type { CacheBudget } from '../../caches/budget.ts';
import { RecentlyUsed } from '../../caches/recently-used.ts';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { withMutex } from '../../git/mutex.ts';
import type { FileName } from '../registry/find.ts';
import type { IndexBuilder } from './build.ts';
import { ComposedDocument, type DocumentPlan } from './composed.ts';

/** Size limit of the plans of a process, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Approximate memory of a part in bytes. */
const PART_BYTES = 100;

const markOf = prepared((db, ownerId: number, type: PackageType, key: string) =>
  db
    .selectFrom('package_indexes')
    .select(['wanted', 'built'])
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('key', '=', key),
);

/** A plan, and the change of its index that it shows. */
interface KeptPlan {
  readonly wanted: number;
  readonly plan: DocumentPlan;
}

/** Cached plans of documents with recent publications. */
const plansOf = new WeakMap<CacheBudget, RecentlyUsed<KeptPlan>>();

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
  const plans = plansIn(context);
  const document = JSON.stringify([owner.id, type, key, name, compositeKey]);
  const current = () => {
    const kept = plans.get(document);
    return kept?.wanted === wanted ? kept.plan : undefined;
  };
  return (
    current() ??
    (await withMutex(`package document ${document}`, async () => {
      const made = current();
      if (made) return made;
      const files = await builder(context, owner, key);
      const file = files.find((one) => one.name === name && (one.compositeKey ?? '') === compositeKey);
      if (!(file?.content instanceof ComposedDocument)) return undefined;
      const plan = await file.content.plan();
      plans.set(document, { wanted, plan }, document.length + bytesOf(plan));
      return plan;
    }))
  );
}

/** Approximately, in memory. */
function bytesOf({ pieces }: DocumentPlan): number {
  return pieces.reduce((bytes, piece) => bytes + piece.length * (piece instanceof Uint8Array ? 1 : PART_BYTES), 0);
}

function plansIn({ caches }: Context): RecentlyUsed<KeptPlan> {
  const plans = plansOf.get(caches) ?? new RecentlyUsed<KeptPlan>(caches, MAX_BYTES);
  plansOf.set(caches, plans);
  return plans;
}
