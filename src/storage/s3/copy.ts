import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';

/** The largest object that S3 copies in one request, and the parts in which it copies larger ones. */
const MAX_SIZE = 5 * 1024 ** 3;
const PART_SIZE = 1024 ** 3;

/** The source blob as it was when the copy started. */
export interface CopySource {
  readonly Bucket: string;
  readonly Key: string;
  readonly size: number;
  readonly etag: string | undefined;
}

/** Copies an object within the service: its bytes do not come here. The sizes are for tests. */
export async function copyObject(
  client: S3Client,
  source: CopySource,
  target: { Bucket: string; Key: string; ContentType: string },
  { maxSize = MAX_SIZE, partSize = PART_SIZE } = {},
): Promise<void> {
  const from = { CopySource: encodeURI(`${source.Bucket}/${source.Key}`), CopySourceIfMatch: source.etag };
  if (source.size <= maxSize) {
    await client.send(new CopyObjectCommand({ ...target, ...from, MetadataDirective: 'REPLACE' }));
    return;
  }
  const { Bucket, Key } = target;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { Bucket, Key, UploadId };
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let start = 0; start < source.size; start += partSize) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + partSize, source.size) - 1}`;
      const { CopyPartResult } = await client.send(new UploadPartCopyCommand({ ...upload, ...from, PartNumber, CopySourceRange }));
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}
