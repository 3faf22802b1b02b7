import { Readable } from 'node:stream';
import { findRepository, type Repository } from '../../access/find-repository.ts';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Context } from '../../context.ts';
import type { JobRun } from '../../jobs/job-work.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { forgetParts, readTable, readTexts } from '../find/parts.ts';
import { type DigestedFile, digestAll } from './digest.ts';
import { FileTable, FORMAT, type IndexedFile, writeTable } from './format.ts';
import { beginIndex, type CodeIndex, confirmIndex, publishIndex, readyIndex, removeUnused } from './rows.ts';
import { type SourceFile, sourceBranch, sourceFiles } from './source.ts';

/** An index whose unchanged files are reused. */
interface FormerIndex {
  readonly files: ReadonlyMap<string, IndexedFile>;
  readonly texts: Buffer;
}

/** Bytes of an index that are written at once. */
const CHUNK_BYTES = 64 * 1024;

const NO_BYTES = Buffer.alloc(0);
const NONE: FormerIndex = { files: new Map(), texts: Buffer.alloc(0) };

/**
 * The job: builds the index of the default branch. Files that the previous index has under the same path are not read.
 * It restarts after any interruption.
 */
export async function updateIndex(
  { repositoryId }: Jobs['code-search.update'],
  context: Context,
  { signal, progress }: JobRun,
): Promise<void> {
  if (!context.settings.codeSearch.enabled) return;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const { tree, ...branch } = await sourceBranch(context, repository);
  const ready = await readyIndex(context, repositoryId);
  const former = ready?.format === FORMAT ? ready : undefined;
  if (former && former.commit_id === branch.commit_id) {
    await confirmIndex(context, former, branch);
    return;
  }
  if (repository.is_empty && !ready) return;
  const { files, isPartial } = await sourceFiles(context, repository, tree);
  const begun = await beginIndex(context, repositoryId);
  const made = new IndexMaking(context, repository, await openFormer(context, former), signal);
  const bytes = inChunks(made.bytes(files, (done) => progress({ done, total: files.length })));
  const size = await context.storage.put(begun.key, Readable.from(bytes));
  signal.throwIfAborted();
  const content = { files: made.count, texts_bytes: made.textsBytes, table_bytes: size.size - made.textsBytes };
  await publishIndex(context, { id: begun.id, repositoryId }, { ...branch, ...content, is_partial: isPartial });
  if (ready) forgetParts(context, ready);
  await removeUnused(context);
}

async function openFormer(context: Context, index: CodeIndex | undefined): Promise<FormerIndex> {
  const memory = index && (await readTable(context, index));
  const texts = index && memory && (await readTexts(context, index));
  if (!memory || !texts) return NONE;
  const table = new FileTable(memory);
  const files = new Map<string, IndexedFile>();
  const slice = new TimeSlice();
  for (let at = 0; at < table.count; at++) {
    if (slice.isOver) await slice.next();
    const file = table.at(at);
    files.set(keyOf(file), file);
  }
  return { files, texts: Buffer.from(texts) };
}

/** Larger pieces of the same bytes, with pauses: each of the texts of a hundred thousand small files would be written by itself. */
async function* inChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const slice = new TimeSlice();
  let [chunk, length]: [Uint8Array[], number] = [[], 0];
  for await (const piece of pieces) {
    if (slice.isOver) await slice.next();
    chunk.push(piece);
    length += piece.length;
    if (length < CHUNK_BYTES) continue;
    yield Buffer.concat(chunk, length);
    [chunk, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(chunk, length);
}

/** A file of another path may be of another language. */
function keyOf({ path, oid }: Pick<IndexedFile, 'path' | 'oid'>): string {
  return `${oid} ${path}`;
}

/** The bytes of an index, in the order in which they are written. */
class IndexMaking {
  /** Bytes of all texts, once they are written. */
  textsBytes = 0;
  readonly #context: Context;
  readonly #repository: Repository;
  readonly #former: FormerIndex;
  readonly #signal: AbortSignal;
  readonly #files: IndexedFile[] = [];

  constructor(context: Context, repository: Repository, former: FormerIndex, signal: AbortSignal) {
    this.#context = context;
    this.#repository = repository;
    this.#former = former;
    this.#signal = signal;
  }

  get count(): number {
    return this.#files.length;
  }

  async *bytes(sources: readonly SourceFile[], report: (done: number) => void): AsyncGenerator<Uint8Array> {
    const { files, texts } = this.#former;
    const changed: SourceFile[] = [];
    for (const source of sources) {
      const file = files.get(keyOf(source));
      if (file) yield this.#add(file, texts.subarray(file.textStart, file.textStart + file.textLength));
      else {
        changed.push(source);
        // Nothing is written, but there may be many.
        yield NO_BYTES;
      }
    }
    report(this.count);
    for await (const batch of digestAll(this.#context, this.#repository, changed, this.#signal)) {
      for (const { source, digest } of batch) yield this.#add({ ...source, ...digest }, digest.text);
      report(this.count);
    }
    yield* writeTable(this.#files);
  }

  #add(
    file: Omit<IndexedFile, 'textStart' | 'textLength'> | (DigestedFile['source'] & DigestedFile['digest']),
    text: Uint8Array,
  ): Uint8Array {
    const { path, oid, size, language, flags, filter } = file;
    this.#files.push({ path, oid, size, language, flags, filter, textStart: this.textsBytes, textLength: text.length });
    this.textsBytes += text.length;
    return text;
  }
}
