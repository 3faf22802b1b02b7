import { cachePerServer } from '../../caches/recently-used.ts';
import type { Services } from '../../context.ts';
import type { FileName } from '../registry/find.ts';
import type { IndexName } from './block-store.ts';
import type { DocumentPlan } from './composed.ts';

/** Size limit of the plans of a process, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Approximate memory of a part in bytes. */
const PART_BYTES = 100;

/** A plan, and the change of its index that it shows. */
interface CachedPlan {
  readonly wanted: number;
  readonly plan: DocumentPlan;
}

/** Plans of documents with recent publications. */
const plansIn = cachePerServer<CachedPlan>(MAX_BYTES);

/** The plan of a document that shows a change of its index; undefined if this process has none. */
export function cachedPlan(services: Pick<Services, 'caches'>, document: string, wanted: number): DocumentPlan | undefined {
  const cached = plansIn(services).get(document);
  return cached?.wanted === wanted ? cached.plan : undefined;
}

/** Caches the plan of a document for the readers of this process. */
export function cachePlan(services: Pick<Services, 'caches'>, document: string, wanted: number, plan: DocumentPlan): void {
  plansIn(services).set(document, { wanted, plan }, document.length + bytesOf(plan));
}

/** What tells the documents of all indexes apart. */
export function documentName({ ownerId, type, key }: IndexName, { name, compositeKey = '' }: FileName): string {
  return JSON.stringify([ownerId, type, key, name, compositeKey]);
}

/** Approximately, in memory. */
function bytesOf({ pieces }: DocumentPlan): number {
  return pieces.reduce((bytes, piece) => bytes + piece.length * (piece instanceof Uint8Array ? 1 : PART_BYTES), 0);
}
