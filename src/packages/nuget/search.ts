import { type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { describeVersions } from '../registry/describe.ts';
import { waitingDownloads } from '../registry/downloads.ts';
import { countVersions, type SearchPage } from '../registry/search.ts';
import { byLooseVersion } from '../versions/loose.ts';
import { leafUrl, registrationUrl, registryUrl } from './links.ts';
import type { NugetMetadata } from './nuspec.ts';
import { presentAbout } from './registration.ts';

/** Packages by a part of their names: https://learn.microsoft.com/en-us/nuget/api/search-query-service-resource */
export async function search(context: Context, owner: User, text: string, page: SearchPage) {
  const { db } = context;
  const url = registryUrl(context, owner);
  const versions = Map.groupBy(await listVersions(context, owner, text, page), ({ package_id }) => package_id);
  const latest = [...versions.values()].flatMap((all) => all.reduce((a, b) => (byLooseVersion(b.version, a.version) > 0 ? b : a)));
  const described = await describeVersions<NugetMetadata>(db, latest);
  const order = new Intl.Collator('en', { sensitivity: 'accent' });
  const data = described
    .sort((a, b) => order.compare(a.package.name, b.package.name))
    .map((version) => {
      const { id, name } = version.package;
      const all = versions.get(id) ?? [];
      return {
        ...presentAbout(version),
        title: version.metadata.title ?? '',
        totalDownloads: all.reduce((sum, { download_count }) => sum + download_count, 0),
        versions: all.map((one) => ({ '@id': leafUrl(url, name, one.version), version: one.version, downloads: one.download_count })),
        registration: registrationUrl(url, name),
      };
    });
  const totalHits = await countVersions(context, { ownerId: owner.id, type: 'nuget', nameContains: text, latest: true });
  return { totalHits, data };
}

type Listed = Pick<PackageVersionRow, 'id' | 'package_id' | 'version' | 'download_count'>;

/** The versions of the packages of a page, without what is known of them. */
async function listVersions(context: Context, owner: User, text: string, { limit, offset = 0 }: SearchPage): Promise<Listed[]> {
  const { db } = context;
  const pattern = `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
  const packages = db
    .selectFrom('packages')
    .select('id')
    .where('owner_id', '=', owner.id)
    .where('type', '=', 'nuget')
    .where('is_internal', '=', false)
    .where(sql<SqlBool>`lower_name like ${pattern} escape '!'`)
    .where((where) => where.exists(where.selectFrom('package_versions').select('id').whereRef('package_id', '=', 'packages.id')))
    .orderBy('name')
    .limit(limit)
    .offset(offset);
  const versions = await db
    .selectFrom('package_versions')
    .select(['id', 'package_id', 'version', 'download_count'])
    .where('package_id', 'in', packages)
    .orderBy('package_id')
    .orderBy('id')
    .execute();
  return versions.map((version) => ({ ...version, download_count: version.download_count + waitingDownloads(context, version.id) }));
}
