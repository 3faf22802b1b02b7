import type { Settings } from '../settings.ts';
import { joined } from '../text/joined.ts';

interface RepositoryName {
  name: string;
  owner: { name: string };
}

/** What was asked for last: lists ask for the addresses of one repository again and again. */
let last = { owner: '', name: '', path: '/' };

/** `owner/name`, each escaped for a path. */
function path({ name, owner }: RepositoryName): string {
  if (last.name === name && last.owner === owner.name) return last.path;
  const path = joined(encodeURIComponent(owner.name), '/', encodeURIComponent(name));
  last = { owner: owner.name, name, path };
  return path;
}

/** The page of a repository. */
export function repositoryHtmlUrl({ server }: Settings, repository: RepositoryName): string {
  return joined(server.rootUrl, path(repository));
}

/** The address of a repository in the interface. */
export function repositoryApiUrl({ server }: Settings, repository: RepositoryName): string {
  return joined(server.rootUrl, 'api/v1/repos/', path(repository));
}

/** Where git clones from over HTTP. */
export function cloneUrl({ server }: Settings, repository: RepositoryName): string {
  return joined(server.rootUrl, path(repository), '.git');
}

/** Where git clones from over SSH: the short form git knows, or a URL where the port is not the usual one. */
export function sshUrl({ ssh }: Settings, repository: RepositoryName): string {
  const { user, publicHost, publicPort } = ssh;
  const host = publicHost.includes(':') && !publicHost.startsWith('[') ? `[${publicHost}]` : publicHost;
  const home = publicPort === 22 ? `${user}@${host}:` : `ssh://${user}@${host}:${publicPort}/`;
  return joined(home, path(repository), '.git');
}

/** An address without the credentials that may be in it. */
export function withoutCredentials(address: string): string {
  // Without this sign there are none, and most repositories have no such address at all.
  if (!address.includes('@') || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.username && !url.password) return address;
  url.username = '';
  url.password = '';
  return url.href;
}
