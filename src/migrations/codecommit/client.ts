import { SourceClient } from '../source/client.ts';
import { SourceError } from '../source/errors.ts';
import { Fields } from '../source/fields.ts';
import type { SourceOptions } from '../source/options.ts';
import { signedHeaders } from './signature.ts';

/** Calls an action of the API of CodeCommit. */
export type Call = (action: string, input: Readonly<Record<string, unknown>>) => Promise<Fields>;

/**
 * The API for a host of Git: that is `git-codecommit.REGION.amazonaws.com`, the one of the API is without `git-`.
 * @throws SourceError without the key of an AWS account
 */
export function callerOf({ settings, signal, onWait, awsKey }: SourceOptions, { protocol, host }: URL): Call {
  const [, region] = /^git-codecommit(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(host) ?? [];
  const apiHost = host.replace(/^git-/, '');
  const client = new SourceClient({
    settings,
    base: `${region === undefined ? protocol : 'https:'}//${apiHost}/`,
    authorizations: [],
    signal,
    onWait,
  });
  if (awsKey.id === '' || awsKey.secret === '')
    throw new SourceError('authentication', 'aws_access_key_id and aws_secret_access_key are needed');
  return async (action, input) => {
    const body = JSON.stringify(input);
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `CodeCommit_20150413.${action}` };
    const key = { ...awsKey, region: region ?? 'us-east-1', service: 'codecommit' };
    const { json } = await client.send(client.base, () => ({
      method: 'POST',
      body,
      headers: signedHeaders(key, apiHost, headers, body, new Date()),
    }));
    return new Fields(json, action);
  };
}
