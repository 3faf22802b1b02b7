import { readFileSync } from 'node:fs';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { http } from '../../node-http.ts';

/** How an S3 service is reached. Times are milliseconds. */
export interface S3Options {
  /** Undefined for Amazon's own in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Prefix of all keys; empty, or with a slash at its end. */
  readonly prefix: string;
  /** Without it, the credentials of the environment, of files or of the machine's role. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Whether the bucket is in the path of URLs, instead of the host name. */
  readonly pathStyle: boolean;
  /** PEM file with the certificates of the authorities that the service's certificate may come from. */
  readonly caFile: string | null;
  readonly maxConnections: number;
  readonly connectTimeout: number;
  /** How long a connection may be silent. */
  readonly idleTimeout: number;
  readonly attempts: number;
  /** Bytes of a part of a large blob; four of them are in memory for each upload at most. */
  readonly partSize: number;
  /** Whether clients read large blobs from the service itself. */
  readonly directDownloads: boolean;
  /** How long the links for that are valid. */
  readonly linkLifetime: number;
  /** Where clients reach the service, if that is not the endpoint. */
  readonly publicEndpoint: string | null;
}

/** A client of the service at its endpoint, or at another URL of it. */
export function createClient(options: S3Options, endpoint: string | null = options.endpoint): S3Client {
  const agent = { keepAlive: true, maxSockets: options.maxConnections };
  const config: S3ClientConfig = {
    region: options.region,
    forcePathStyle: options.pathStyle,
    maxAttempts: options.attempts,
    // Older services know neither these headers nor bodies with trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: options.connectTimeout,
      socketTimeout: options.idleTimeout,
      httpAgent: new http.Agent(agent),
      httpsAgent: new HttpsAgent({ ...agent, ...(options.caFile !== null && { ca: readFileSync(options.caFile) }) }),
    },
    ...(endpoint !== null && { endpoint }),
    ...(options.credentials && { credentials: options.credentials }),
  };
  return new S3Client(config);
}
