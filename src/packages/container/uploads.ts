import { findUser } from '../../access/find-user.ts';
import { type Context, callerKey } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageBlobRow, PackageUploadRow } from '../../database/tables/packages.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import type { Content } from '../blobs/content.ts';
import { type ExpectedContent, findBlob } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';
import { checkPackageAccess } from '../protocol/caller.ts';
import type { PackageCall } from '../protocol/format.ts';
import { receiveBody } from '../protocol/receive.ts';
import { maxFileSize } from '../registry/limits.ts';
import { endUpload as endWith, finishUpload, type KeepContent } from '../uploads/finish.ts';
import { appendPart, beginUpload, cancelUpload, findUpload } from '../uploads/parts.ts';
import { findOwnedBlob, findWholeBlob, keepBlob } from './blobs.ts';
import { API_VERSION, ContainerError } from './errors.ts';
import { checkImage, readDigest } from './names.ts';

/**
 * POST: receives a whole content, mounts one of another image, or begins an upload.
 * Distribution specification, "Pushing blobs" and "Mounting a blob from another repository".
 */
export async function startUpload(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, query } = call;
  const image = checkImage(call.params.image ?? '');
  const mounted = await findMounted(call, query.get('mount')?.trim() ?? '', query.get('from')?.trim() ?? '');
  if (mounted) {
    await keepBlob(context, owner, image, mounted);
    return created(owner, image, query.get('mount')?.trim() ?? '');
  }
  const digest = query.get('digest')?.trim();
  if (digest) {
    const blob = await receiveBlob(call, digest);
    await keepBlob(context, owner, image, blob);
    return created(owner, image, digest);
  }
  // The account of automation has no row: uploads by jobs count for the owner.
  const uploader = context.signIn.job ? owner : context.actor;
  if (!uploader) throw new ContainerError('UNAUTHORIZED');
  return progress(202, owner, image, await beginUpload(context, owner, uploader, purposeOf(image)));
}

/** GET: the progress of an upload. */
export async function showUpload(call: PackageCall): Promise<HttpResponse> {
  const { image, upload } = await openUpload(call);
  const response = progress(204, call.owner, image, upload);
  // Of an upload without bytes, too, as clients expect it that look where to go on.
  return upload.size > 0 ? response : empty(204, { ...response.headers, range: '0-0' });
}

/** PATCH: appends a part; without a range only as the first one. */
export async function continueUpload(call: PackageCall): Promise<HttpResponse> {
  const { image, upload } = await openUpload(call);
  const hasRange = checkRange(call, image, upload);
  if (!hasRange && upload.size > 0) {
    throw new ContainerError('BLOB_UPLOAD_INVALID', { message: 'Stream uploads after first write are not allowed' });
  }
  return progress(202, call.owner, image, await append(call, upload));
}

/** PUT: receives the last part, if there is one, and completes the upload. */
export async function endUpload(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, query } = call;
  const digest = query.get('digest')?.trim() ?? '';
  if (!readDigest(digest)) throw new ContainerError('DIGEST_INVALID');
  const { image, upload } = await openUpload(call);
  checkRange(call, image, upload);
  const keep: KeepContent = (context, blob) => keepBlob(context, owner, image, blob);
  if (upload.size === 0) {
    const blob = await receiveBlob(call, digest);
    await endWith(context, upload, (context) => keepBlob(context, owner, image, blob));
  } else await finish(call, upload, digest, keep);
  return created(owner, image, digest);
}

/** DELETE: cancels an upload. */
export async function abandonUpload(call: PackageCall): Promise<HttpResponse> {
  const { upload } = await openUpload(call);
  await cancelUpload(call.context, upload);
  return empty(204, API_VERSION);
}

async function openUpload({ context, owner, params }: PackageCall): Promise<{ image: string; upload: PackageUploadRow }> {
  const image = checkImage(params.image ?? '');
  const upload = await findUpload(context, owner, purposeOf(image), params.uuid ?? '');
  if (!upload) throw new ContainerError('BLOB_UPLOAD_UNKNOWN');
  return { image, upload };
}

function purposeOf(image: string): string {
  return `container ${image}`;
}

/**
 * Checks that a part begins where the last one ended, if it has a range.
 * @returns whether it does
 * @throws ContainerError BLOB_UPLOAD_INVALID
 */
function checkRange(call: PackageCall, image: string, upload: PackageUploadRow): boolean {
  const range = call.request.headers['content-range'];
  if (range === undefined) return false;
  const start = /^\s*(\d{1,15})-\d/.exec(range)?.[1];
  if (start === undefined) throw new ContainerError('BLOB_UPLOAD_INVALID');
  if (Number(start) !== upload.size) throw outOfOrder(call, image, upload);
  return true;
}

/** Stores the body, which has to have the digest. */
async function receiveBlob(call: PackageCall, digest: string): Promise<Content> {
  const { context, contents } = call;
  const expected = expectedOf(digest);
  const maxSize = maxFileSize(context, 'container');
  return await checkingDigest(() => receiveBody(call, maxSize, (content) => contents.store(context, content, { ...expected, maxSize })));
}

async function append(call: PackageCall, upload: PackageUploadRow): Promise<PackageUploadRow> {
  const { context } = call;
  const maxSize = maxFileSize(context, 'container');
  try {
    return await receiveBody(call, maxSize, (content) => appendPart(context, upload, content, maxSize));
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    if (error.problem === 'missing') throw new ContainerError('BLOB_UPLOAD_UNKNOWN');
    // Another part has come first.
    throw error.status === 409 ? outOfOrder(call, call.params.image ?? '', upload) : error;
  }
}

async function finish(call: PackageCall, upload: PackageUploadRow, digest: string, keep: KeepContent): Promise<PackageBlobRow> {
  const { headers } = call.request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const whole = hasBody ? await append(call, upload) : upload;
  const { context, request } = call;
  const end = () => finishUpload(context, whole, expectedOf(digest), keep);
  return await checkingDigest(() => context.semaphores.uploads.run(callerKey(context), end, { signal: request.signal }));
}

/** @throws ContainerError DIGEST_INVALID */
function expectedOf(digest: string): ExpectedContent {
  const read = readDigest(digest);
  if (!read) throw new ContainerError('DIGEST_INVALID');
  return { [read.algorithm]: read.hex };
}

async function checkingDigest<Stored extends Content>(store: () => Promise<Stored>): Promise<Stored> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    // Another request has completed the upload.
    if (error.problem === 'missing') throw new ContainerError('BLOB_UPLOAD_UNKNOWN');
    throw error.problem === 'wrong-digest' ? new ContainerError('DIGEST_INVALID') : error;
  }
}

/** The content to mount, of an image that the caller may read: the named one, or any of the same owner. */
async function findMounted({ context, owner }: PackageCall, digest: string, from: string): Promise<PackageBlobRow | undefined> {
  const read = readDigest(digest);
  if (read && from === '') return await findOwnedBlob(context, owner, read);
  const slash = from.indexOf('/');
  if (!read || slash < 0) return undefined;
  const source = await findUser(context.db, from.slice(0, slash));
  if (!source || !(await mayRead(context, source))) return undefined;
  const blob = await findWholeBlob(context, source, from.slice(slash + 1), digest);
  return blob && (await findBlob(context.db, blob.sha256));
}

async function mayRead(context: Context, owner: User): Promise<boolean> {
  try {
    return (await checkPackageAccess(context, owner, 'read')) > 0;
  } catch (error) {
    if (error instanceof PackageError) return false;
    throw error;
  }
}

function created(owner: User, image: string, digest: string): HttpResponse {
  return empty(201, {
    ...API_VERSION,
    location: `/v2/${owner.lower_name}/${image}/blobs/${digest}`,
    'docker-content-digest': digest,
    etag: `"${digest}"`,
  });
}

function progress(status: number, owner: User, image: string, upload: PackageUploadRow): HttpResponse {
  return empty(status, { ...API_VERSION, ...progressHeaders(owner, image, upload) });
}

/** 416, with what the client needs to continue. */
function outOfOrder({ owner }: PackageCall, image: string, upload: PackageUploadRow): ContainerError {
  return new ContainerError('BLOB_UPLOAD_INVALID', { status: 416, headers: progressHeaders(owner, image, upload) });
}

function progressHeaders(owner: User, image: string, { id, size }: PackageUploadRow): Record<string, string> {
  const location = `/v2/${owner.lower_name}/${image}/blobs/uploads/${id}`;
  return { location, 'docker-upload-uuid': id, ...(size > 0 && { range: `0-${size - 1}` }) };
}
