import { findRepositories, isPublicRepository } from '../../access/find-repository.ts';
import { repositoriesAccess } from '../../access/repository-access.ts';
import { GHOST_ID } from '../../accounts/users/ghost.ts';
import { htmlUrl } from '../../accounts/users/present.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageRow, VersionRow } from '../../database/tables/packages.ts';
import { only } from '../../http/only.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { findPeople, presentPeople } from '../../issues/people.ts';
import { presentRepositories } from '../../repositories/present.ts';
import type { FoundFile } from '../registry/find.ts';
import type { Package, PackageFile } from './schema.ts';

/** Versions of packages of an owner on the wire, in their order, in as many queries as for one. */
export async function presentVersions(context: Context, owner: User, versions: readonly VersionRow[]): Promise<Shape<typeof Package>[]> {
  const packages = await packagesOf(context, versions);
  const repositories = await repositoriesOf(context, [...packages.values()]);
  const creators = versions.map(({ creator_id }) => creator_id ?? GHOST_ID);
  // The caller comes last: payloads for others have it without private fields.
  const person = presentPeople(context, await findPeople(context.db, creators, [owner, context.actor]), context.actor);
  return versions.flatMap((version) => {
    const row = packages.get(version.package_id);
    if (!row) return [];
    return {
      id: version.id,
      owner: person(owner.id),
      repository: (row.repository_id !== null && repositories.get(row.repository_id)) || null,
      creator: person(version.creator_id ?? GHOST_ID),
      type: row.type,
      name: row.name,
      version: version.version,
      html_url: `${htmlUrl(context, owner)}/-/packages/${row.type}/${escaped(row.lower_name)}/${escaped(version.lower_version)}`,
      created_at: wireTime(version.created_at),
    };
  });
}

/** A version of a package on the wire. */
export async function presentVersion(context: Context, owner: User, version: VersionRow): Promise<Shape<typeof Package>> {
  return only(await presentVersions(context, owner, [version]));
}

/** A file on the wire. */
export function presentFile({ file, blob }: FoundFile): Shape<typeof PackageFile> {
  const { size, md5, sha1, sha256, sha512 } = blob;
  return { id: file.id, size, name: file.name, md5, sha1, sha256, sha512 };
}

function escaped(name: string): string {
  return name.split('/').map(escapePath).join('%2F');
}

async function packagesOf({ db }: Context, versions: readonly VersionRow[]): Promise<Map<number, PackageRow>> {
  const ids = [...new Set(versions.map(({ package_id }) => package_id))];
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('packages').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The linked repositories that the caller may see. */
async function repositoriesOf(context: Context, packages: readonly PackageRow[]) {
  const ids = packages.flatMap(({ repository_id }) => repository_id ?? []);
  const found = ids.length === 0 ? [] : await findRepositories(context.db, ids);
  const access = await repositoriesAccess(context, found, context.actor);
  const { token } = context.signIn;
  const shown = found.filter(
    (repository) => access.get(repository.id)?.isVisible && (!token?.publicOnly || isPublicRepository(repository)),
  );
  return new Map((await presentRepositories(context, shown, access)).map((repository) => [repository.id, repository]));
}
