import { BlobExistsError, StorageUnavailableError } from '../storage.ts';

/** The error of a failed request (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether a response means that there is no blob of this key. A HEAD response has no body, only its status. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

/** Whether a range begins after the end of the blob. */
export function isBeyondEnd(error: unknown): boolean {
  return statusOf(error) === 416;
}

/** Whether the service does not know such requests. */
export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501;
}

/** The error of a failed upload: that of its content, that the key is taken, or that the storage is unavailable. */
export function uploadError(error: unknown, contentError: Error | undefined): Error {
  if (contentError) return contentError;
  // 409 when another upload of the same key is being completed.
  if (statusOf(error) === 412 || statusOf(error) === 409) return new BlobExistsError('there is a blob of this key');
  return unavailable(error);
}

/** Represents every error of the service that is not about one blob. */
export function unavailable(error: unknown): StorageUnavailableError {
  return new StorageUnavailableError(error);
}

function statusOf(error: unknown): number | undefined {
  return (error as ServiceError).$metadata?.httpStatusCode;
}
