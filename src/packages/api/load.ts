import { loadUser } from '../../access/load.ts';
import type { User } from '../../database/tables/accounts.ts';
import { PACKAGE_TYPES, type PackageType } from '../../database/tables/package-types.ts';
import type { PackageRow, PackageVersionRow } from '../../database/tables/packages.ts';
import type { AccessLevel } from '../../database/tables/repositories.ts';
import { forbidden, notFoundBecause } from '../../http/errors.ts';
import { type Loader, type Requirement, routeLoading } from '../../http/route.ts';
import { PackageError } from '../errors.ts';
import { packageAccess } from '../protocol/access.ts';
import { findPackage, findVersion } from '../registry/find.ts';

/** The owner in a path, and the caller's access to the owner's packages. */
export interface LoadedOwner {
  readonly user: User;
  readonly packageLevel: AccessLevel;
}

/** `:owner` */
export const loadPackageOwner: Loader<LoadedOwner> = async ({ owner = '' }, context, url) => {
  const { user } = await loadUser({ username: owner }, context, url);
  return { user, packageLevel: await packageAccess(context, user) };
};

/** `:owner/:type/:name`; a package that the caller may not see does not exist. */
export const loadPackage: Loader<LoadedOwner & { package: PackageRow }> = async (params, context, url) => {
  const owner = await loadPackageOwner(params, context, url);
  return { ...owner, package: await found('GetPackageByName', owner, () => findPackage(context.db, nameIn(params, owner))) };
};

/** `:owner/:type/:name/:version` */
export const loadPackageVersion: Loader<LoadedOwner & { version: PackageVersionRow }> = async (params, context, url) => {
  const owner = await loadPackageOwner(params, context, url);
  const find = () => findVersion(context.db, nameIn(params, owner), params.version ?? '');
  return { ...owner, version: await found('GetVersionByNameAndVersion', owner, find) };
};

/** A route with `:owner` in its path: its handler gets `user` and `packageLevel`. */
export const packageOwnerRoute = routeLoading(loadPackageOwner, [307]);
/** A route with `:owner/:type/:name` in its path: its handler also gets `package`. */
export const packageRoute = routeLoading(loadPackage, [307]);
/** A route with `:owner/:type/:name/:version` in its path: its handler also gets `version`. */
export const packageVersionRoute = routeLoading(loadPackageVersion, [307]);

/** The caller may read the owner's packages. */
export const readsPackages = packageLevelRequirement('package-read', 1);
/** The caller may write the owner's packages. */
export const writesPackages = packageLevelRequirement('package-write', 2);

/** The packages belong to the caller, or to an organization that the caller owns. */
export const ownsPackages = packageLevelRequirement('package-owner', 4);

function packageLevelRequirement(name: string, needed: AccessLevel): Requirement {
  return {
    name,
    check: (input) => {
      const { packageLevel = 0 } = input as Partial<LoadedOwner>;
      if (packageLevel < needed) throw forbidden('user should have specific permission or be a site admin');
    },
  };
}

function nameIn({ type = '', name = '' }: Readonly<Record<string, string>>, { user }: LoadedOwner) {
  const known = PACKAGE_TYPES.find((candidate) => candidate === type);
  if (!known) throw new PackageError('no-package');
  return { ownerId: user.id, type: known satisfies PackageType, name };
}

async function found<T>(what: string, { packageLevel }: LoadedOwner, find: () => Promise<T>): Promise<T> {
  try {
    if (packageLevel < 1) throw new PackageError('no-package');
    return await find();
  } catch (error) {
    if (error instanceof PackageError) throw notFoundBecause(`${what}: ${error.message}`);
    throw error;
  }
}

/** The type in a query; undefined for an unknown one. `all` and an empty text mean every type. */
export function typeOf(text: string | undefined): PackageType | 'all' | undefined {
  const type = text?.trim() ?? '';
  return type === '' || type === 'all' ? 'all' : PACKAGE_TYPES.find((candidate) => candidate === type);
}
