import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionArtifact } from '../../database/tables/action-runners.ts';
import { lockRuns } from '../jobs/lock.ts';
import type { TaskOfRun } from './caller.ts';
import { ArtifactError } from './errors.ts';
import { hasParts, orderedParts, removeParts, sizeOf, storePart } from './parts.ts';
import { isArtifactName, storeContent } from './upload.ts';

/*
 * Version 3 of the protocol of artifacts: an artifact is a folder of files, each of which is sent in chunks and has a row of its own.
 */

/** Files of one run. */
const MAX_FILES = 10_000;
const MAX_PATH = 1000;
const DAY = 86_400;
const MAX_RETENTION = 36_500;
/** The encoding of files that are compressed as they are stored; the others have none. */
export const GZIP = 'gzip';

/** A file of an artifact. */
export interface ArtifactFile {
  readonly name: string;
  readonly path: string;
}

/** A chunk of a file, as its headers describe it. */
export interface Chunk {
  /** Its first byte. */
  readonly start: number;
  /** MD5 in base64; undefined where the client does not say. */
  readonly md5: string | undefined;
  /** Bytes of the file before it was compressed. */
  readonly fileSize: number;
  readonly encoding: typeof GZIP | '';
  /** Undefined for the default of the settings. */
  readonly retentionDays: number | undefined;
  readonly content: Readable;
}

/** The name of an artifact in URLs. */
export function hashOfName(name: string): string {
  return createHash('md5').update(name).digest('hex');
}

/**
 * The file of `itemPath`: `{artifact}/{path}`.
 * @throws ArtifactError 400
 */
export function fileOf(itemPath: string, hash: string): ArtifactFile {
  const [name = '', ...rest] = posix.join('/', itemPath.replaceAll('\\', '/')).slice(1).split('/');
  if (hashOfName(name) !== hash) throw new ArtifactError(400, 'Invalid artifact hash');
  if (!isArtifactName(name)) throw new ArtifactError(400, 'Error checking artifact name contains invalid character');
  const path = rest.join('/') || name;
  if (path.length > MAX_PATH || path.includes('\0')) throw new ArtifactError(400, 'Error checking artifact path');
  return { name, path };
}

/**
 * Stores a chunk of a file.
 * @throws ArtifactError 400 for one that does not match its headers
 */
export async function storeChunk(context: Context, { task, runId }: TaskOfRun, file: ArtifactFile, chunk: Chunk): Promise<void> {
  const { id } = await fileRow(context, { task, runId }, file, chunk);
  const hash = createHash('md5');
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const bytes of chunk.content as AsyncIterable<Buffer>) {
      hash.update(bytes);
      yield bytes;
    }
    if (chunk.md5 !== undefined && hash.digest('base64') !== chunk.md5)
      throw new ArtifactError(400, 'Error save upload chunk: md5 mismatch');
  }
  await storePart(context, { artifactId: id, taskId: task.id }, { start: chunk.start }, Readable.from(hashed(), { objectMode: false }));
}

async function fileRow(context: Context, { task, runId }: TaskOfRun, { name, path }: ArtifactFile, chunk: Chunk): Promise<ActionArtifact> {
  const time = now();
  const days = Math.min(chunk.retentionDays ?? context.settings.actions.artifactRetention, MAX_RETENTION);
  const values = {
    encoding: chunk.encoding,
    size: chunk.fileSize,
    status: 'pending' as const,
    expires_at: time + days * DAY,
    updated_at: time,
  };
  return await inTransaction(context, async (context) => {
    const { db } = context;
    await lockRuns(context, task.repository_id);
    const known = await db
      .updateTable('action_artifacts')
      .set(values)
      .where('run_id', '=', runId)
      .where('name', '=', name)
      .where('path', '=', path)
      .where('encoding', 'in', ['', GZIP])
      .returningAll()
      .executeTakeFirst();
    if (known) return known;
    const { count } = await db
      .selectFrom('action_artifacts')
      .select((select) => select.fn.countAll().as('count'))
      .where('run_id', '=', runId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_FILES) throw new ArtifactError(400, `the artifacts of a run have at most ${MAX_FILES} files`);
    const { repository_id, owner_id, runner_id, commit_sha } = task;
    const made = await db
      .insertInto('action_artifacts')
      .values({ ...values, repository_id, owner_id, runner_id, commit_sha, run_id: runId, name, path, created_at: time })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!made) throw new ArtifactError(400, 'an artifact of this name was sent in another way');
    return made;
  });
}

/**
 * Completes the upload of an artifact: what this task has uploaded becomes the content of its files.
 * @throws ArtifactError 400 when a chunk is missing
 */
export async function confirmFiles(context: Context, { task, runId }: TaskOfRun, name: string): Promise<void> {
  const files = await context.db
    .selectFrom('action_artifacts')
    .selectAll()
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .where('encoding', 'in', ['', GZIP])
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute();
  for (const file of files) {
    const upload = { artifactId: file.id, taskId: task.id };
    // Clients may go on without a file whose chunks were refused.
    if (!(await hasParts(context, upload))) continue;
    const parts = await orderedParts(context, upload);
    // Each begins where the one before it ends: their keys end with the first byte.
    let end = 0;
    for (const { key, size } of parts) {
      if (Number(/at-(\d+)$/.exec(key)?.[1]) !== end) throw new ArtifactError(400, 'Error merge chunks');
      end += size;
    }
    if (file.encoding === '' && file.size !== sizeOf(parts)) throw new ArtifactError(400, 'Error merge chunks size mismatch');
    await storeContent(context, upload, parts, { size: sizeOf(parts), shown: file.size });
    await removeParts(context, upload);
  }
}

/** The files of a run that can be downloaded, of one artifact or of all. */
export async function completeFiles({ db }: Pick<Context, 'db'>, runId: number, name?: string): Promise<ActionArtifact[]> {
  let files = db.selectFrom('action_artifacts').selectAll().where('run_id', '=', runId).where('encoding', 'in', ['', GZIP]);
  if (name !== undefined) files = files.where('name', '=', name);
  return await files.where('status', '=', 'confirmed').orderBy('id').limit(MAX_FILES).execute();
}
