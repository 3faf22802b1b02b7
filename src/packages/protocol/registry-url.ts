import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';

/** The base URL of an owner's packages of a type. */
export function registryUrl({ settings }: Pick<Context, 'settings'>, owner: Pick<User, 'name'>, type: PackageType): string {
  return `${settings.server.rootUrl}api/packages/${encodeURIComponent(owner.name)}/${type}`;
}
