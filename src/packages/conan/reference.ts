import { invalid, PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';

/** The recipe `name/version@user/channel#revision` of a file, or a package built from it. */
export interface Reference {
  readonly name: string;
  readonly version: string;
  /** Empty if there is none; then there is no channel either. */
  readonly user: string;
  readonly channel: string;
  /** Empty if the request names none. */
  readonly revision: string;
  readonly package?: { readonly id: string; readonly revision: string };
}

/** The revision for clients without revisions. */
export const DEFAULT_REVISION = '0';

const NAME = /^\w[\w+.-]{1,50}$/;
const REVISION = /^[a-z0-9]{1,51}$/i;

/**
 * The reference in the path of a request.
 * @throws PackageError 400
 */
export function referenceOf({ params }: Pick<PackageCall, 'params'>): Reference {
  const { name = '', revision = '', packageId, packageRevision = '' } = params;
  const version = (params.version ?? '').trim();
  const [user, channel] = [params.user ?? '', params.channel ?? ''].map((part) => (part === '_' ? '' : part)) as [string, string];
  const names = [name, ...(user === '' && channel === '' ? [] : [user, channel])];
  const revisions = [revision, packageRevision, packageId ?? ''].filter((part) => part !== '');
  const isValid = names.every((part) => NAME.test(part)) && revisions.every((part) => REVISION.test(part)) && packageId !== '';
  if (!isValid || version === '' || /[\p{Cc}/|]/u.test(version)) throw invalid('could not validate one or more reference fields');
  return {
    name,
    version,
    user,
    channel,
    revision,
    ...(packageId !== undefined && { package: { id: packageId, revision: packageRevision } }),
  };
}

/** The composite key of the files of a recipe or package. */
export function keyOf({ user, channel, revision, package: built }: Reference): string {
  const parts = [user, channel, revision || DEFAULT_REVISION];
  return [...parts, ...(built ? [built.id, built.revision || DEFAULT_REVISION] : [])].join('|');
}

/** How the composite keys begin of all files of a recipe with its packages. */
export function placeOf({ user, channel }: Reference): string {
  return `${user}|${channel}|`;
}

/** What a composite key says of a file. */
export function readKey(key: string): { revision: string; packageId: string | undefined; packageRevision: string | undefined } {
  const [, , revision = '', packageId, packageRevision] = key.split('|');
  return { revision, packageId, packageRevision };
}

/** The path of the files of a recipe or package in the older protocol. */
export function linkOf({ name, version, user, channel, revision, package: built }: Reference): string {
  const recipe = [name, version, user || '_', channel || '_', revision || DEFAULT_REVISION].map(encodeURIComponent).join('/');
  return `${recipe}/${built ? `package/${built.id}/${built.revision || DEFAULT_REVISION}` : 'recipe'}`;
}

/** @returns a 404 as clients know it */
export function noReference(what: 'recipe' | 'package'): PackageError {
  return new PackageError('no-package', { message: `${what} reference does not exist` });
}
