import { Readable } from 'node:stream';
import { findUserById } from '../../access/find-user.ts';
import { callerKey } from '../../context.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { receiveBytes } from '../../http/bodies/upload.ts';
import { readWholeBody } from '../../http/bodies/whole-body.ts';
import { HttpError } from '../../http/errors.ts';
import type { Content } from '../blobs/content.ts';
import { SMALL_BYTES, type StoreOptions } from '../blobs/store.ts';
import { invalid, PackageError } from '../errors.ts';
import { maxFileSize } from '../registry/limits.ts';
import { publishAccess } from './access.ts';
import type { PackageCall } from './format.ts';
import { parseJsonObject } from './parse-json.ts';
import { receiveFormFile } from './receive-form.ts';

/** The expectations of {@link receivePackage}. */
export interface Expected extends Omit<StoreOptions, 'isSha256Enough'> {
  /** The field of a form that has the file: then only a form is taken. When left out, the body itself or the first file of a form. */
  readonly field?: string;
  /** A form is stored unchanged, like any other content. */
  readonly raw?: boolean;
}

/**
 * Stores the body of a request, or the file of a form, while it arrives; with the limit of the owner's type of packages.
 * @returns the content, to be given to `publish`
 * @throws PackageError `type-size`, `wrong-digest`, 400 for a form without a file; BusyError
 */
export async function receivePackage(call: PackageCall, type: PackageType, expected: Expected = {}): Promise<Content> {
  const { context, request } = call;
  const maxSize = Math.min(maxFileSize(context, type), expected.maxSize ?? Number.MAX_SAFE_INTEGER);
  const store = ({ content }: { content: Readable | Buffer }) => call.contents.store(context, content, { ...expected, maxSize });
  if (expected.field !== undefined) requireForm(call);
  const isForm = !expected.raw && isFormOf(request);
  const field = expected.field === undefined ? {} : { field: expected.field };
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (!isForm && length <= Math.min(SMALL_BYTES, maxSize)) {
    return await receiving(call, async () => await store({ content: await readBody(call, SMALL_BYTES) }));
  }
  return isForm
    ? await receiving(call, () => receiveFormFile(call, { maxSize, ...field }, store))
    : await receiveBody(call, maxSize, (content) => store({ content }));
}

function isFormOf({ headers }: PackageCall['request']): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}

/** @throws PackageError 400 for a body that is not a form */
export function requireForm({ request }: Pick<PackageCall, 'request'>, message = "request Content-Type isn't multipart/form-data"): void {
  if (!isFormOf(request)) throw invalid(message);
}

/** A form with a file. */
export interface ReceivedForm {
  readonly blob: Content;
  /** The name of the file; empty when the client sends none. */
  readonly name: string;
  /** The values of the other fields, by their names. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/**
 * Stores the file of a form while it arrives, and reads its other fields.
 * @throws PackageError `type-size`, 400 for a form that has no file in this field, or too much around it; BusyError
 */
export async function receiveForm(
  call: PackageCall,
  type: PackageType,
  field: string,
  { shown }: Pick<StoreOptions, 'shown'> = {},
): Promise<ReceivedForm> {
  requireForm(call);
  const maxSize = maxFileSize(call.context, type);
  const fields = new Map<string, string[]>();
  const onField = (name: string, value: string) => fields.set(name, [...(fields.get(name) ?? []), value]);
  const receive = () =>
    receiveFormFile(call, { field, maxSize, onField }, async ({ name, content }) => ({
      name,
      blob: await call.contents.store(call.context, content, { maxSize, ...(shown && { shown }) }),
    }));
  return { ...(await receiving(call, receive)), fields };
}

/**
 * Passes the body of a request to `store` while it arrives.
 * @param maxSize bytes that it may have
 * @throws PackageError `type-size`, BusyError, and as `store`
 */
export async function receiveBody<R>(
  call: Pick<PackageCall, 'context' | 'owner' | 'request'>,
  maxSize: number,
  store: (content: Readable) => Promise<R>,
): Promise<R> {
  return await receiving(call, () => receiveBytes(call.request.raw, { maxSize }, ({ content }) => store(content)));
}

async function receiving<R>(call: Pick<PackageCall, 'context' | 'owner' | 'request'>, receive: () => Promise<R>): Promise<R> {
  const { context, request } = call;
  const received = await receivingAlone(context, request, receive);
  await recheckWrite(call);
  return received;
}

async function receivingAlone<R>(context: PackageCall['context'], request: PackageCall['request'], receive: () => Promise<R>): Promise<R> {
  try {
    return await context.semaphores.uploads.run(callerKey(context), receive, { signal: request.signal });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The API's errors name the field of a body before the reason: here there is none.
    throw error.status === 413 ? new PackageError('type-size') : invalid(error.message.replace(/^\[\]: /, ''));
  }
}

/**
 * Refuses uploads of callers whose rights were revoked meanwhile, which can happen during a long upload.
 * @throws PackageError 401
 */
export async function recheckWrite({ context, owner }: Pick<PackageCall, 'context' | 'owner'>): Promise<void> {
  const { actor, db } = context;
  const current = actor && actor.id > 0 ? await findUserById(db, actor.id) : actor;
  const isBarred = current ? !current.is_active || current.prohibit_login : actor !== null;
  if (isBarred || (await publishAccess({ ...context, actor: current ?? null }, owner)) < 2) throw new PackageError('unauthorized');
}

/**
 * The whole body of a request, for small ones such as metadata.
 * @throws PackageError 413
 */
export async function readBody({ request }: Pick<PackageCall, 'request'>, maxSize: number): Promise<Buffer> {
  const body = await readWholeBody(request.raw, maxSize);
  if (!body) throw new PackageError('invalid', { status: 413, message: `the body has more than ${maxSize} bytes` });
  return body;
}

/**
 * The JSON object of a request.
 * @throws PackageError 413, or 400 for what is not a JSON object
 */
export async function readJson(call: Pick<PackageCall, 'request'>, maxSize: number): Promise<Record<string, unknown>> {
  return parseJsonObject('the body', await readBody(call, maxSize));
}

/** The body while it arrives, a small one at once. Code that stops reading it can still send a response. */
export async function* bodyChunks(call: Pick<PackageCall, 'request'>): AsyncGenerator<Buffer> {
  if (isSmall(call)) yield await readBody(call, SMALL_BYTES);
  else yield* call.request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/** The body as a stream, a small one as its bytes; see {@link bodyChunks}. */
export async function bodyOrStream(call: Pick<PackageCall, 'request'>): Promise<Readable | Buffer> {
  return isSmall(call) ? await readBody(call, SMALL_BYTES) : Readable.from(bodyChunks(call), { objectMode: false });
}

function isSmall({ request: { headers } }: Pick<PackageCall, 'request'>): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SMALL_BYTES;
}
