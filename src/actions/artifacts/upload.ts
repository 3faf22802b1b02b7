import { randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionArtifact } from '../../database/tables/action-runners.ts';
import type { ActionTask } from '../../database/tables/actions.ts';
import { BlobMismatchError, type ExpectedBlob } from '../../storage/storage.ts';
import { VerifiedBytes } from '../../storage/verified.ts';
import { lockRuns } from '../jobs/lock.ts';
import { findNamed } from './artifacts.ts';
import { ArtifactError } from './errors.ts';
import { orderedParts, type Part, readParts, removeParts, sizeOf, type Upload } from './parts.ts';

/** The prefix of the storage keys of artifacts. */
export const ARTIFACTS_PREFIX = 'action-artifacts/';

/** Artifacts of one run. */
const MAX_ARTIFACTS = 1000;
const MAX_NAME = 255;
const DAY = 86_400;
const ZIP = 'application/zip';
/** https://github.com/actions/toolkit/blob/main/packages/artifact/src/internal/upload/path-and-artifact-name-validation.ts */
const NOT_IN_NAMES = /[\\/":<>|*?\r\n\0]/;
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,120}\/[\w!#$&^.+-]{1,120}$/;

/** Whether a name of an artifact is valid. */
export function isArtifactName(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME && !NOT_IN_NAMES.test(name);
}

/** The job's description of an artifact before the upload. */
export interface NewArtifact {
  readonly name: string;
  /** The media type; empty for a zip file. */
  readonly mediaType: string;
  /** Seconds since 1970; undefined for the default of the settings. */
  readonly expiresAt: number | undefined;
}

/**
 * Begins an upload. An existing artifact of the run does not change until the upload is complete.
 * @throws ArtifactError 400
 */
export async function beginUpload(context: Context, task: ActionTask, runId: number, given: NewArtifact): Promise<ActionArtifact> {
  const { name } = given;
  if (!isArtifactName(name)) throw new ArtifactError(400, 'Error checking artifact name contains invalid character');
  const mediaType = (given.mediaType.split(';')[0] ?? '').trim().toLowerCase();
  const encoding = MEDIA_TYPE.test(mediaType) ? mediaType : ZIP;
  const path = encoding === ZIP && !name.endsWith('.zip') ? `${name}.zip` : name;
  const time = now();
  const values = { path, encoding, expires_at: given.expiresAt ?? time + context.settings.actions.artifactRetention * DAY };
  const artifact = await inTransaction(context, async (context) => {
    const { db } = context;
    await lockRuns(context, task.repository_id);
    const known = await findNamed(context, runId, name);
    if (known)
      return await db.updateTable('action_artifacts').set(values).where('id', '=', known.id).returningAll().executeTakeFirstOrThrow();
    const others = await db.selectFrom('action_artifacts').select('id').where('run_id', '=', runId).limit(MAX_ARTIFACTS).execute();
    if (others.length === MAX_ARTIFACTS) throw new ArtifactError(400, `a run has at most ${MAX_ARTIFACTS} artifacts`);
    const { repository_id, owner_id, runner_id, commit_sha } = task;
    const made = await db
      .insertInto('action_artifacts')
      .values({
        ...values,
        repository_id,
        owner_id,
        runner_id,
        commit_sha,
        run_id: runId,
        name,
        status: 'pending',
        created_at: time,
        updated_at: time,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!made) throw new ArtifactError(400, 'an artifact of this name was sent in another way');
    return made;
  });
  // Parts of an earlier attempt of the same task must not get into this one.
  await removeParts(context, { artifactId: artifact.id, taskId: task.id });
  return artifact;
}

/**
 * Completes an upload: its parts become the content of the artifact.
 * @param expected the size in bytes; the SHA-256 in hexadecimal digits if the client sends it
 * @throws ArtifactError 400 when the received content differs, 404 when the artifact was deleted meanwhile
 */
export async function finishUpload(
  context: Context,
  upload: Upload,
  expected: { readonly size: number; readonly sha256: string | undefined },
): Promise<void> {
  const parts = await orderedParts(context, upload);
  const { size, sha256 } = expected;
  if (sizeOf(parts) !== size) throw new ArtifactError(400, 'Error merge chunks size mismatch');
  if (size > context.settings.actions.artifactMaxSize) throw new ArtifactError(413, 'the artifact is too large');
  await storeContent(context, upload, parts, { size, shown: size, sha256 });
  await removeParts(context, upload);
}

/** The properties of an artifact's content. */
interface Content {
  readonly size: number;
  /** The size before it was compressed. */
  readonly shown: number;
  readonly sha256?: string | undefined;
}

/**
 * Makes parts the content of an artifact.
 * @throws ArtifactError 400 when they are not what was expected, 404 when the artifact was deleted meanwhile
 */
export async function storeContent(context: Context, upload: Upload, parts: readonly Part[], expected: Content): Promise<void> {
  const { size, sha256 } = expected;
  const key = artifactKey(upload.artifactId, randomBytes(16).toString('hex'));
  try {
    await storeParts(context, key, parts, { size, ...(sha256 !== undefined && { sha256 }) });
  } catch (error) {
    if (error instanceof BlobMismatchError)
      throw new ArtifactError(400, `Error merge chunks ${error.part === 'size' ? 'size' : 'hash'} mismatch`);
    throw error;
  }
  if (!(await replaceContent(context, upload.artifactId, key, expected))) {
    await context.storage.delete(key);
    throw new ArtifactError(404, 'Error artifact not found');
  }
}

/** A single part is copied within the storage, and only read again if there is a digest to compare. */
async function storeParts(
  { storage }: Pick<Context, 'storage'>,
  key: string,
  parts: readonly Part[],
  expected: ExpectedBlob,
): Promise<void> {
  const [only, ...others] = parts;
  if (!only || others.length > 0) {
    await storage.put(key, readParts({ storage }, parts), expected);
    return;
  }
  const copied = await storage.copy(only.key, key);
  if (copied && copied.size === expected.size && expected.sha256 === undefined) return;
  try {
    await pipeline(readParts({ storage }, [{ ...only, key }]), new VerifiedBytes(expected).resume());
  } catch (error) {
    await storage.delete(key);
    throw error;
  }
}

/**
 * The storage key of a content of an artifact.
 * @param name distinguishes the contents of one artifact, and is their ETag: hexadecimal digits
 */
export function artifactKey(id: number, name: string): string {
  return `${ARTIFACTS_PREFIX}${(id % 256).toString(16).padStart(2, '0')}/${id}-${name}`;
}

async function replaceContent(context: Context, id: number, key: string, { size, shown }: Content): Promise<boolean> {
  return await inTransaction(context, async (context) => {
    const { db } = context;
    const found = await db.selectFrom('action_artifacts').select('repository_id').where('id', '=', id).executeTakeFirst();
    if (!found) return false;
    await lockRuns(context, found.repository_id);
    const before = await db.selectFrom('action_artifacts').select('storage_key').where('id', '=', id).executeTakeFirst();
    if (!before) return false;
    await db
      .updateTable('action_artifacts')
      .set({ storage_key: key, size: shown, compressed_size: size, status: 'confirmed', updated_at: now() })
      .where('id', '=', id)
      .execute();
    if (before.storage_key !== '') await context.jobs.add(context, 'actions.remove-files', { keys: [before.storage_key] });
    return true;
  });
}
