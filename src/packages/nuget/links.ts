import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';

/** The URL of an owner's registry. */
export function registryUrl({ settings }: Pick<Context, 'settings'>, owner: User): string {
  return `${settings.server.rootUrl}api/packages/${owner.name}/nuget`;
}

/** The URL of the metadata of all versions of a package. */
export function registrationUrl(url: string, id: string): string {
  return `${url}/registration/${id}/index.json`;
}

/** The URL of the metadata of a version. */
export function leafUrl(url: string, id: string, version: string): string {
  return `${url}/registration/${id}/${version}.json`;
}

/** The URL of a package's file. */
export function contentUrl(url: string, id: string, version: string): string {
  return `${url}/package/${id}/${version}/${id}.${version}.nupkg`;
}

/** The URL of a version in the feed of the protocol's version 2. */
export function entryUrl(url: string, id: string, version: string): string {
  return `${url}/Packages(Id='${id}',Version='${version}')`;
}
