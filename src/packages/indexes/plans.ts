import type { CacheBudget } from '../../caches/budget.ts';
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

/** Cached plans of documents with recent publications, the least recently used ones evicted first. */
class Plans {
  readonly #budget: CacheBudget;
  readonly #plans = new Map<string, { wanted: number; plan: DocumentPlan; bytes: number }>();
  bytes = 0;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
    budget.add(this);
  }

  get(name: string, wanted: number): DocumentPlan | undefined {
    const found = this.#plans.get(name);
    if (found?.wanted !== wanted) return undefined;
    this.#plans.delete(name);
    this.#plans.set(name, found);
    return found.plan;
  }

  add(name: string, wanted: number, plan: DocumentPlan): void {
    this.#remove(name);
    let bytes = name.length;
    for (const piece of plan.pieces) bytes += piece.length * (piece instanceof Uint8Array ? 1 : PART_BYTES);
    this.#plans.set(name, { wanted, plan, bytes });
    this.bytes += bytes;
    while (this.bytes > MAX_BYTES) this.evict();
    this.#budget.settle();
  }

  evict(): void {
    const [oldest] = this.#plans.keys();
    if (oldest !== undefined) this.#remove(oldest);
  }

  #remove(name: string): void {
    this.bytes -= this.#plans.get(name)?.bytes ?? 0;
    this.#plans.delete(name);
  }
}

const plansOf = new WeakMap<CacheBudget, Plans>();

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
  return (
    plans.get(document, wanted) ??
    (await withMutex(`package document ${document}`, async () => {
      const made = plans.get(document, wanted);
      if (made) return made;
      const files = await builder(context, owner, key);
      const file = files.find((one) => one.name === name && (one.compositeKey ?? '') === compositeKey);
      if (!(file?.content instanceof ComposedDocument)) return undefined;
      const plan = await file.content.plan();
      plans.add(document, wanted, plan);
      return plan;
    }))
  );
}

function plansIn({ caches }: Context): Plans {
  const plans = plansOf.get(caches) ?? new Plans(caches);
  plansOf.set(caches, plans);
  return plans;
}
