import type { Settings } from '../settings.ts';
import { joined } from '../text/joined.ts';

interface RepositoryName {
  name: string;
  owner: { name: string };
}

/** The last result: lists need the URLs of one repository repeatedly. */
let last = { owner: '', name: '', path: '/' };

/** `owner/name`, each escaped for a path. */
function path({ name, owner }: RepositoryName): string {
  if (last.name === name && last.owner === owner.name) return last.path;
  const path = joined(encodeURIComponent(owner.name), '/', encodeURIComponent(name));
  last = { owner: owner.name, name, path };
  return path;
}

/** The URL of the page of a repository. */
export function repositoryHtmlUrl({ server }: Settings, repository: RepositoryName): string {
  return joined(server.rootUrl, path(repository));
}

/** The API URL of a repository. */
export function repositoryApiUrl({ server }: Settings, repository: RepositoryName): string {
  return joined(server.rootUrl, 'api/v1/repos/', path(repository));
}

/** The URL for cloning over HTTP. */
export function cloneUrl({ server }: Settings, repository: RepositoryName): string {
  return joined(server.rootUrl, path(repository), '.git');
}

/** The URL for cloning over SSH: git's short form, or a URL if the port is not the default. */
export function sshUrl({ ssh }: Settings, repository: RepositoryName): string {
  const { user, publicHost, publicPort } = ssh;
  const host = publicHost.includes(':') && !publicHost.startsWith('[') ? `[${publicHost}]` : publicHost;
  const home = publicPort === 22 ? `${user}@${host}:` : `ssh://${user}@${host}:${publicPort}/`;
  return joined(home, path(repository), '.git');
}

/** A URL without credentials. */
export function withoutCredentials(address: string): string {
  // Without this character there are none, and most repositories have no such URL at all.
  if (!address.includes('@') || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.username && !url.password) return address;
  url.username = '';
  url.password = '';
  return url.href;
}
