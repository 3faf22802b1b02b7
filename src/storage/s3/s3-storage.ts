import { pipeline, Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { copyBetween } from '../copy-between.ts';
import { type BlobInfo, checkKey, type ExpectedBlob, type LinkedResponse, type ListedBlob, type Storage } from '../storage.ts';
import { VerifiedBytes } from '../verified.ts';
import { createClient, type S3Options } from './client.ts';
import { copyObject } from './copy.ts';
import { isBeyondEnd, isMissing, isNotImplemented, unavailable, uploadError } from './errors.ts';
import { resumingStream } from './resuming-stream.ts';

/** Parts of one upload that are on their way at a time. */
const PARALLEL_PARTS = 2;
/** The size limit of S3 for one blob. */
const MAX_PARTS = 10_000;
const CONTENT_TYPE = 'application/octet-stream';

/**
 * Blobs as objects in a bucket of a service that speaks S3 (https://docs.aws.amazon.com/AmazonS3/latest/API/). An object appears when its
 * upload is complete, so none is ever seen half.
 */
export class S3Storage implements Storage {
  readonly #options: S3Options;
  readonly #client: S3Client;
  readonly #linkClient: S3Client;
  constructor(options: S3Options) {
    this.#options = options;
    this.#client = createClient(options);
    this.#linkClient = options.publicEndpoint === null ? this.#client : createClient(options, options.publicEndpoint);
  }

  async put(key: string, content: Readable | Uint8Array, expected: ExpectedBlob = {}): Promise<BlobInfo> {
    const place = this.#place(key);
    const verified = new VerifiedBytes(expected);
    let contentError: Error | undefined;
    const source = content instanceof Uint8Array ? Readable.from([content]) : content;
    // The reader below gets its error.
    pipeline(source, verified, () => {});
    const reader = async function* (): AsyncGenerator<Buffer> {
      try {
        yield* verified as AsyncIterable<Buffer>;
      } catch (error) {
        contentError = error as Error;
        throw error;
      }
    };
    try {
      await this.#upload(place, Readable.from(reader(), { objectMode: false }), expected);
    } catch (error) {
      verified.destroy();
      throw uploadError(error, contentError);
    }
    return { size: verified.size };
  }

  /** Small blobs are one request; of larger ones the parts are sent while they arrive. */
  async #upload(place: { Bucket: string; Key: string }, body: Readable, { size, isNew }: ExpectedBlob): Promise<void> {
    const { partSize } = this.#options;
    const condition = isNew ? { IfNoneMatch: '*' } : {};
    if (size !== undefined && size <= partSize) {
      const Body = Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>));
      await this.#client.send(new PutObjectCommand({ ...place, ...condition, Body, ContentType: CONTENT_TYPE }));
      return;
    }
    const upload = new Upload({
      client: this.#client,
      params: { ...place, ...condition, Body: body, ContentType: CONTENT_TYPE },
      partSize: Math.max(partSize, Math.ceil((size ?? 0) / MAX_PARTS)),
      queueSize: PARALLEL_PARTS,
    });
    await upload.done();
  }

  async get(key: string, range?: { start: number; end: number }): Promise<(BlobInfo & { stream: Readable }) | undefined> {
    const place = this.#place(key);
    try {
      const opened = await this.#open(place, range);
      const { size, etag } = opened;
      const stream = resumingStream(opened.stream, range?.start ?? 0, async (start) => {
        const rest = { start, end: Math.min(range?.end ?? size, size - 1) };
        if (rest.start > rest.end) return Readable.from([]);
        return (await this.#open(place, rest, etag)).stream;
      });
      stream.on('close', () => opened.stream.destroy());
      return { size, stream };
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!isBeyondEnd(error)) throw unavailable(error);
    }
    const info = await this.info(key);
    return info && { ...info, stream: Readable.from([]) };
  }

  async #open(place: { Bucket: string; Key: string }, range?: { start: number; end: number }, etag?: string) {
    const response = await this.#client.send(
      new GetObjectCommand({
        ...place,
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        ...(etag !== undefined && { IfMatch: etag }),
      }),
    );
    const size = Number(/\/(\d+)$/.exec(response.ContentRange ?? '')?.[1] ?? response.ContentLength ?? 0);
    if (!(response.Body instanceof Readable)) throw new Error('the response has no body');
    return { size, etag: response.ETag, stream: response.Body as Readable };
  }

  async info(key: string): Promise<BlobInfo | undefined> {
    try {
      const { ContentLength = 0 } = await this.#client.send(new HeadObjectCommand(this.#place(key)));
      return { size: ContentLength };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw unavailable(error);
    }
  }

  async copy(from: string, to: string): Promise<BlobInfo | undefined> {
    const [source, target] = [this.#place(from), this.#place(to)];
    try {
      const { ContentLength: size = 0, ETag: etag } = await this.#client.send(new HeadObjectCommand(source));
      await copyObject(this.#client, { ...source, size, etag }, { ...target, ContentType: CONTENT_TYPE });
      return { size };
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!isNotImplemented(error)) throw unavailable(error);
    }
    return await copyBetween(this, from, this, to);
  }

  async delete(key: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#place(key)));
    } catch (error) {
      if (!isMissing(error)) throw unavailable(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedBlob> {
    const { bucket: Bucket, prefix: own } = this.#options;
    const Prefix = `${own}${checkKey(prefix.replace(/\/$/, ''))}/`;
    for (let ContinuationToken: string | undefined; ; ) {
      const page = await this.#client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })).catch((error: unknown) => {
        throw unavailable(error);
      });
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        yield { key: Key.slice(own.length), size: Size, modified: Math.floor((LastModified?.getTime() ?? 0) / 1000) };
      }
      if (!page.IsTruncated) return;
      ContinuationToken = page.NextContinuationToken;
    }
  }

  async link(key: string, { contentType, contentDisposition, contentEncoding }: LinkedResponse): Promise<string | undefined> {
    if (!this.#options.directDownloads) return undefined;
    const command = new GetObjectCommand({
      ...this.#place(key),
      ResponseContentType: contentType,
      ...(contentDisposition !== undefined && { ResponseContentDisposition: contentDisposition }),
      ...(contentEncoding !== undefined && { ResponseContentEncoding: contentEncoding }),
    });
    return await getSignedUrl(this.#linkClient, command, { expiresIn: Math.ceil(this.#options.linkLifetime / 1000) });
  }

  async removeUnfinished(seconds: number): Promise<void> {
    const { bucket: Bucket, prefix: Prefix } = this.#options;
    const before = Date.now() - seconds * 1000;
    for (let KeyMarker: string | undefined, UploadIdMarker: string | undefined; ; ) {
      const page = await this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, KeyMarker, UploadIdMarker }));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated && Initiated.getTime() < before) await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }
      if (!page.IsTruncated) return;
      KeyMarker = page.NextKeyMarker;
      UploadIdMarker = page.NextUploadIdMarker;
    }
  }

  #place(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucket, Key: this.#options.prefix + checkKey(key) };
  }
}
