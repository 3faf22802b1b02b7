import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { Settings } from '../../settings.ts';
import { PackageError } from '../errors.ts';
import { totalsOf } from './totals.ts';

/** Length limit of the names of packages, versions and files, in characters. */
const MAX_NAME = 255;
/** Length limit of what tells files of one name apart in characters. */
const MAX_KEY = 500;
/** Length limit of the metadata of a version as JSON in characters. */
const MAX_METADATA = 1024 * 1024;

type Limits = Settings['packages'];

const FILE_LIMITS: Readonly<Record<PackageType, (limits: Limits) => number>> = {
  alpine: ({ limitSizeAlpine }) => limitSizeAlpine,
  arch: ({ limitSizeArch }) => limitSizeArch,
  cargo: ({ limitSizeCargo }) => limitSizeCargo,
  chef: ({ limitSizeChef }) => limitSizeChef,
  composer: ({ limitSizeComposer }) => limitSizeComposer,
  conan: ({ limitSizeConan }) => limitSizeConan,
  conda: ({ limitSizeConda }) => limitSizeConda,
  container: ({ limitSizeContainer }) => limitSizeContainer,
  cran: ({ limitSizeCran }) => limitSizeCran,
  debian: ({ limitSizeDebian }) => limitSizeDebian,
  generic: ({ limitSizeGeneric }) => limitSizeGeneric,
  go: ({ limitSizeGo }) => limitSizeGo,
  helm: ({ limitSizeHelm }) => limitSizeHelm,
  maven: ({ limitSizeMaven }) => limitSizeMaven,
  npm: ({ limitSizeNpm }) => limitSizeNpm,
  nuget: ({ limitSizeNuget }) => limitSizeNuget,
  pub: ({ limitSizePub }) => limitSizePub,
  pypi: ({ limitSizePypi }) => limitSizePypi,
  rpm: ({ limitSizeRpm }) => limitSizeRpm,
  rubygems: ({ limitSizeRubygems }) => limitSizeRubygems,
  swift: ({ limitSizeSwift }) => limitSizeSwift,
  terraform: ({ limitSizeTerraform }) => limitSizeTerraform,
  vagrant: ({ limitSizeVagrant }) => limitSizeVagrant,
};

/** Bytes that one file of a package of this type may have; administrators may publish any. */
export function maxFileSize({ actor, settings }: Pick<Context, 'actor' | 'settings'>, type: PackageType): number {
  const limit = FILE_LIMITS[type](settings.packages);
  return actor?.is_admin || limit < 0 ? Number.MAX_SAFE_INTEGER : limit;
}

/** Bytes that all packages of one owner may have; administrators may publish any. */
export function maxOwnerSize({ actor, settings: { packages } }: Pick<Context, 'actor' | 'settings'>): number {
  return actor?.is_admin || packages.limitTotalOwnerSize < 0 ? Number.MAX_SAFE_INTEGER : packages.limitTotalOwnerSize;
}

/** @throws PackageError 400 for a name that is empty, or too long for an index of the database */
export function checkNames(...names: readonly string[]): void {
  for (const name of names) {
    if (name === '') throw new PackageError('invalid', { message: 'a name is empty' });
    if (name.length > MAX_NAME) throw new PackageError('invalid', { message: `a name has more than ${MAX_NAME} characters` });
  }
}

/**
 * @param json the metadata of a version, which lists read for many versions at once
 * @throws PackageError 400
 */
export function checkMetadata(json: string): void {
  if (json.length > MAX_METADATA) throw new PackageError('invalid', { message: `the metadata has more than ${MAX_METADATA} characters` });
}

/** @throws PackageError 400 */
export function checkKey(key: string): void {
  if (key.length > MAX_KEY) throw new PackageError('invalid', { message: `a key has more than ${MAX_KEY} characters` });
}

/**
 * Begins a change that may add to an owner's packages. If there are limits for owners, such changes are serialized.
 */
export async function lockOwner({ db, settings: { packages } }: Context, owner: User): Promise<void> {
  if (packages.limitTotalOwnerCount < 0 && packages.limitTotalOwnerSize < 0) return;
  await db
    .updateTable('users')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('id', '=', owner.id)
    .execute();
}

/**
 * Refuses a change that exceeds the owner's limits, after it was made.
 * @throws PackageError 403
 */
export async function checkOwner({ db, actor, settings: { packages } }: Context, owner: User): Promise<void> {
  if (actor?.is_admin) return;
  const { limitTotalOwnerCount: maxCount, limitTotalOwnerSize: maxSize } = packages;
  if (maxCount < 0 && maxSize < 0) return;
  const { size, versions } = await totalsOf(db, owner.id);
  if (maxCount >= 0 && versions > maxCount) throw new PackageError('total-count');
  if (maxSize >= 0 && size > maxSize) throw new PackageError('total-size');
}
