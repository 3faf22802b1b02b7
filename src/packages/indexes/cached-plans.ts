import { cachePerServer } from '../../caches/recently-used.ts';
import type { Services as AllServices, Context } from '../../context.ts';
import { isLongDocument } from '../protocol/encoded.ts';
import type { FileName } from '../registry/find.ts';
import type { IndexName } from './block-store.ts';
import { type ComposedDocument, type DocumentPlan, gzipName } from './composed.ts';
import { renewDocument } from './document-bytes.ts';

type Services = Pick<AllServices, 'caches'>;

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

/** A document of an index ({@link documentName}), and the change of that which it shows. */
export interface DocumentState {
  readonly document: string;
  readonly wanted: number;
}

/** The plan of a document in the form for a reader; undefined if this process has none. */
export function cachedForm(services: Services, state: DocumentState, acceptsGzip: boolean): DocumentPlan | undefined {
  const plain = cachedPlan(services, state);
  return plain && acceptsGzip && isLongDocument(plain) ? cachedPlan(services, compressedOf(state)) : plain;
}

/** Plans a document for a reader, and caches that for the readers of this process; its bytes too, where those before its last change are cached. */
export async function planForms(
  context: Context,
  state: DocumentState,
  content: ComposedDocument,
  acceptsGzip: boolean,
): Promise<DocumentPlan> {
  const plain = cachedPlan(context, state) ?? (await content.plan());
  await cachePlan(context, state, plain);
  if (!acceptsGzip || !isLongDocument(plain)) return plain;
  const compressed = await content.plan('gzip');
  await cachePlan(context, compressedOf(state), compressed);
  return compressed;
}

function cachedPlan(services: Services, { document, wanted }: DocumentState): DocumentPlan | undefined {
  const cached = plansIn(services).get(document);
  return cached?.wanted === wanted ? cached.plan : undefined;
}

async function cachePlan(context: Context, { document, wanted }: DocumentState, plan: DocumentPlan): Promise<void> {
  const plans = plansIn(context);
  const before = plans.get(document)?.plan;
  plans.set(document, { wanted, plan }, document.length + bytesOf(plan));
  if (before) await renewDocument(context, before, plan);
}

function compressedOf({ document, wanted }: DocumentState): DocumentState {
  return { document: gzipName(document), wanted };
}

/** What tells the documents of all indexes apart. */
export function documentName({ ownerId, type, key }: IndexName, { name, compositeKey = '' }: FileName): string {
  return JSON.stringify([ownerId, type, key, name, compositeKey]);
}

/** Approximately, in memory. */
function bytesOf({ pieces }: DocumentPlan): number {
  return pieces.reduce((bytes, piece) => bytes + piece.length * (piece instanceof Uint8Array ? 1 : PART_BYTES), 0);
}
