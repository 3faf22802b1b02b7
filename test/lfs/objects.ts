import { createHash, randomBytes } from 'node:crypto';
import { findRepositoryOf, type Repository } from '../../src/access/find-repository.ts';
import { findUser } from '../../src/access/find-user.ts';
import type { Client, TestResponse } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

export const MEDIA = 'application/vnd.git-lfs+json';

/** A large file of a test, though it is small. */
export interface TestObject {
  oid: string;
  size: number;
  content: Buffer;
}

export function largeFile(content: string | Buffer = randomBytes(40)): TestObject {
  const bytes = Buffer.from(content);
  return { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, content: bytes };
}

export function pointerOf({ oid, size }: { oid: string; size: number }): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
}

const plain = ({ oid, size }: { oid: string; size: number }) => ({ oid, size });
const headers = { accept: MEDIA, 'content-type': MEDIA };

export function batch(
  caller: Client,
  repository: string,
  operation: string,
  objects: readonly unknown[],
  more: { body?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  const json = { operation, transfers: ['basic'], objects, ...more.body };
  return caller.send('POST', `//${repository}.git/info/lfs/objects/batch`, { json, headers: { ...headers, ...more.headers } });
}

export function upload(
  caller: Client,
  repository: string,
  { oid, size, content }: TestObject,
  authorization?: string,
): Promise<TestResponse> {
  return caller.send('PUT', `//${repository}.git/info/lfs/objects/${oid}/${size}`, {
    raw: content,
    headers: { 'content-type': 'application/octet-stream', ...(authorization !== undefined && { authorization }) },
  });
}

export function download(caller: Client, repository: string, oid: string, more: Record<string, string> = {}): Promise<TestResponse> {
  return caller.send('GET', `//${repository}.git/info/lfs/objects/${oid}`, { headers: more });
}

export function verify(caller: Client, repository: string, object: { oid: unknown; size?: unknown }): Promise<TestResponse> {
  return caller.send('POST', `//${repository}.git/info/lfs/verify`, { json: object, headers });
}

/** What a batch response says of its objects in short: `upload`, `download`, the code of an error, or `nothing`. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever came
export function inShort({ json }: TestResponse): any[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return json.objects.map(({ actions, error }: any) => error?.code ?? Object.keys(actions ?? {})[0] ?? 'nothing');
}

/** The row of a repository. */
export async function rowOf({ context }: TestServer, owner: string, name: string): Promise<Repository> {
  const user = await findUser(context.db, owner);
  const row = user && (await findRepositoryOf(context.db, user, name));
  if (!row) throw new Error(`no repository ${owner}/${name}`);
  return row;
}

export { plain };
