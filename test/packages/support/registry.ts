import { createHash } from 'node:crypto';
import type { Context } from '../../../src/context.ts';
import type { Client, TestResponse } from '../../support/client.ts';
import type { TestServer } from '../../support/server.ts';

/** The digests that the registry has of bytes. */
export function digestsOf(bytes: string | Uint8Array): Record<'md5' | 'sha1' | 'sha256' | 'sha512', string> {
  const of = (name: string) => createHash(name).update(bytes).digest('hex');
  return { md5: of('md5'), sha1: of('sha1'), sha256: of('sha256'), sha512: of('sha512') };
}

/** Calls a format's routes: `path` is below `/api/packages/OWNER/`, such as `npm/left-pad`. */
export function registry(owner: string) {
  const url = (path: string) => `//api/packages/${owner}/${path}`;
  return {
    get: (caller: Client, path: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
      caller.send('GET', url(path), { headers }),
    head: (caller: Client, path: string): Promise<TestResponse> => caller.send('HEAD', url(path)),
    put: (caller: Client, path: string, raw: string | Uint8Array, headers: Record<string, string> = {}): Promise<TestResponse> =>
      caller.send('PUT', url(path), { raw, headers: { 'content-type': 'application/octet-stream', ...headers } }),
    post: (caller: Client, path: string, raw: string | Uint8Array, headers: Record<string, string> = {}): Promise<TestResponse> =>
      caller.send('POST', url(path), { raw, headers: { 'content-type': 'application/octet-stream', ...headers } }),
    delete: (caller: Client, path: string): Promise<TestResponse> => caller.send('DELETE', url(path)),
  };
}

/** The keys of all that the registry has in the storage. */
export async function storedKeys({ context }: TestServer): Promise<string[]> {
  const keys = await Promise.all(['packages/', 'package-uploads/'].map((prefix) => Array.fromAsync(context.storage.list(prefix))));
  return keys
    .flat()
    .map(({ key }) => key)
    .sort();
}

/** The status and the text of a response. */
export function inShort({ status, text }: TestResponse): [number, string] {
  return [status, text];
}

/** Who may publish and read packages of the organization `organization`: an owner, and members of teams with other rights in packages. */
export async function packageTeams(
  t: TestServer,
  organization: string,
): Promise<Record<'owner' | 'reader' | 'writer' | 'stranger', Client>> {
  const owner = await t.user(`${organization}-owner`);
  await owner.must('POST', '/orgs', { username: organization });
  const members = { reader: 'read', writer: 'write' } as const;
  const clients: Partial<Record<string, Client>> = {};
  for (const [name, level] of Object.entries(members)) {
    const client = await t.user(`${organization}-${name}`);
    const team = await owner.must('POST', `/orgs/${organization}/teams`, {
      name,
      permission: 'read',
      units_map: { 'repo.packages': level },
    });
    await owner.must('PUT', `/teams/${team.id}/members/${client.name}`);
    clients[name] = client;
  }
  return { owner, stranger: await t.user(`${organization}-stranger`), ...(clients as Record<'reader' | 'writer', Client>) };
}

/** The storage of the day after tomorrow: what is stored is older than a day there. */
export function agedStorage({ storage }: Context): Context['storage'] {
  return {
    put: storage.put.bind(storage),
    get: storage.get.bind(storage),
    info: storage.info.bind(storage),
    copy: storage.copy.bind(storage),
    delete: storage.delete.bind(storage),
    link: storage.link.bind(storage),
    removeUnfinished: storage.removeUnfinished.bind(storage),
    async *list(prefix) {
      for await (const blob of storage.list(prefix)) yield { ...blob, modified: blob.modified - 2 * 24 * 60 * 60 };
    },
  };
}
