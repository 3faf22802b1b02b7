import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { FileTable } from '../index/format.ts';
import type { Query } from '../query/query.ts';
import type * as match from './match-task.ts';
import { readTexts } from './parts.ts';
import type { Scanned, ScannedFile } from './scan.ts';
import { readableCode, type ScopedIndex } from './scope.ts';
import type { IndexMemory } from './texts.ts';
import { inWorker, type TimeLimit } from './time-limit.ts';

const MATCH = new URL('./match-task.ts', import.meta.url);
/** Files that one search finds. */
const MAX_HITS = 1000;
/** Candidates, and bytes of the texts of their repositories, that a worker gets at once. */
const BATCH_FILES = 2000;
const BATCH_BYTES = 64 * 1024 * 1024;

/** A matching file, of a repository whose code the caller may read. */
export interface FoundFile {
  readonly repository: Repository;
  readonly index: ScopedIndex;
  readonly order: number;
  readonly file: number;
  readonly memory: IndexMemory;
  readonly language: string;
  readonly score: number;
  readonly count: number;
}

/** Searches the texts of candidates, until a limit is reached. Unreadable repositories are left out before. */
export async function findMatches(
  context: Context,
  query: Query,
  { candidates }: Scanned,
  limit: TimeLimit,
): Promise<{ files: FoundFile[]; isIncomplete: boolean }> {
  const ids = new Set(candidates.map(({ index }) => index.repository_id));
  const readable = await readableCode(context, [...ids]);
  const allowed = candidates.filter(({ index }) => readable.has(index.repository_id));
  const files: FoundFile[] = [];
  let isIncomplete = false;
  let at = 0;
  while (at < allowed.length && files.length < MAX_HITS && limit.left > 0) {
    const batch = batchFrom(allowed, at);
    const found = await matchBatch(context, query, batch, { maxHits: MAX_HITS - files.length, limit });
    for (const { candidate, memory, score, count } of found.hits) {
      const repository = readable.get(candidate.index.repository_id);
      if (repository) files.push({ ...candidate, repository, memory, language: languageOf(candidate), score, count });
    }
    isIncomplete ||= found.isIncomplete;
    at += batch.length;
  }
  return { files, isIncomplete: isIncomplete || at < allowed.length };
}

function languageOf({ table, file }: ScannedFile): string {
  const files = new FileTable(table);
  return files.languages[files.languageId(file)]?.[0] ?? '';
}

/** The next candidates whose texts fit into memory together; a single repository may exceed that. */
function batchFrom(candidates: readonly ScannedFile[], from: number): ScannedFile[] {
  const keys = new Set<string>();
  let bytes = 0;
  let to = from;
  for (; to < Math.min(candidates.length, from + BATCH_FILES); to++) {
    const { key, texts_bytes } = candidates[to]?.index ?? { key: '', texts_bytes: 0 };
    if (keys.has(key)) continue;
    if (keys.size > 0 && bytes + texts_bytes > BATCH_BYTES) break;
    keys.add(key);
    bytes += texts_bytes;
  }
  return candidates.slice(from, to);
}

async function matchBatch(
  context: Context,
  query: Query,
  batch: readonly ScannedFile[],
  { maxHits, limit }: { maxHits: number; limit: TimeLimit },
) {
  const byKey = new Map(batch.map(({ index, table }) => [index.key, { index, table }]));
  const opened = await Promise.all(
    [...byKey].map(async ([key, { index, table }]) => ({ key, table, texts: await readTexts(context, index) })),
  );
  const indexes = opened.flatMap(({ key, table, texts }) => (texts ? [{ key, memory: { table, texts } }] : []));
  const places = new Map(indexes.map(({ key }, place) => [key, place]));
  const known = batch.filter(({ index }) => places.has(index.key));
  const request = known.map(({ index, file, score }) => ({ index: places.get(index.key) ?? 0, file, score }));
  const memories = indexes.map(({ memory }) => memory);
  const payload = { query, indexes: memories, candidates: request, maxHits, maxMs: limit.left };
  const found = await inWorker<typeof match>(context, MATCH, payload, limit.left);
  const hits = (found?.hits ?? []).flatMap(({ candidate: at, score, count }) => {
    const candidate = known[at];
    const memory = memories[request[at]?.index ?? 0];
    return candidate && memory ? [{ candidate, memory, score, count }] : [];
  });
  return { hits, isIncomplete: (found?.read ?? 0) < batch.length };
}
