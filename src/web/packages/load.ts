import type { User } from '../../database/tables/accounts.ts';
import { notFound } from '../../http/errors.ts';
import { type LoadedOwner, loadPackage, loadPackageOwner, loadPackageVersion } from '../../packages/api/load.ts';
import type { Settings } from '../../settings.ts';
import { pageLoading, type Visit } from '../page.ts';
import { path, type View } from '../view.ts';

/** A page with `:owner` in its path; 404 if the reader may not see the owner's packages. */
export const packageOwnerPage = pageLoading<LoadedOwner>(async (params, context, url) => {
  const loaded = await loadPackageOwner(params, context, url);
  if (loaded.packageLevel < 1) throw notFound();
  return loaded;
});
/** A page with `:owner/:type/:name` in its path. */
export const packagePage = pageLoading(loadPackage);
/** A page with `:owner/:type/:name/:version` in its path. */
export const packageVersionPage = pageLoading(loadPackageVersion);

/** The request of a page about an owner's packages. */
export type OwnerVisit = Visit & LoadedOwner;

/** Whether there are packages at all. */
export const packagesOn = ({ packages }: Settings): boolean => packages.enabled;

/** The path of a page of a package. @param rest the part after its name, escaped */
export function packagePath(
  view: View,
  owner: Pick<User, 'name'>,
  row: { readonly type: string; readonly name: string },
  rest = '',
): string {
  return `${packagesPath(view, owner)}/${row.type}/${encodeURIComponent(row.name)}${rest && `/${rest}`}`;
}

/** The path of the packages of an owner. */
export function packagesPath(view: View, owner: Pick<User, 'name'>): string {
  return path(view, `${encodeURIComponent(owner.name)}/-/packages`);
}
