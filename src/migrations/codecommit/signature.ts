import { createHash, createHmac } from 'node:crypto';

/** The key of an AWS account, and its scope. */
export interface AwsKey {
  readonly id: string;
  readonly secret: string;
  readonly region: string;
  readonly service: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * The headers that sign a POST request to the path `/` by AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 * @param headers those of the request, with names in lower case; all are signed
 * @param time of the request
 */
export function signedHeaders(
  { id, secret, region, service }: AwsKey,
  host: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  time: Date,
): Record<string, string> {
  const stamp = time.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const signed = Object.entries({ ...headers, host, 'x-amz-date': stamp }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const request = ['POST', '/', '', lines, names, sha256(body)].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(request)].join('\n');
  const key = [region, service, 'aws4_request'].reduce((key, part) => hmac(key, part), hmac(`AWS4${secret}`, day));
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return {
    ...headers,
    'x-amz-date': stamp,
    authorization: `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
