import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import type { IndexFile } from '../indexes/build.ts';
import { listedFiles } from '../indexes/listed-files.ts';
import { markIndexes } from '../indexes/mark.ts';
import { hasProperties } from '../registry/find.ts';
import type { FileMetadata, VersionMetadata } from './metadata.ts';

const COMPRESS_TASK = new URL('./compress-task.ts', import.meta.url);
const COMPRESS_MS = 120_000;

/** The property of a package that has its channel, which is a part of its name too; empty without one. */
export const CHANNEL = 'conda.channel';
/** The property of a package that has its name without the channel. */
export const NAME = 'conda.name';
/** The property of a file that has its platform. */
export const SUBDIR = 'conda.subdir';
/** The property of a file that has its {@link FileMetadata} as JSON. */
export const METADATA = 'conda.metadata';

/** The key of the index of a channel's platform. */
export function indexKey(channel: string, subdir: string): string {
  return `${channel}/${subdir}`;
}

/** Marks the indexes that list the files of a version which is deleted. */
export async function markDeleted({ ownerId, versionId }: PackageEvent, context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('package_properties', 'package_properties.package_id', 'package_versions.package_id')
    .select(['package_files.composite_key', 'package_properties.value'])
    .distinct()
    .where('package_files.version_id', '=', versionId)
    .where('package_properties.name', '=', CHANNEL)
    .execute();
  const keys = rows.map(({ composite_key: subdir, value: channel }) => indexKey(channel, subdir));
  await markIndexes(context, ownerId, 'conda', keys);
}

/** Builds `repodata.json`, plain and compressed: all files of a channel's platform. */
export async function buildIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  const [channel, subdir] = [key.slice(0, key.lastIndexOf('/')), key.slice(key.lastIndexOf('/') + 1)];
  const rows = await filesOf(context, owner, channel, subdir);
  if (rows.length === 0) return [];
  const packages: Record<string, unknown> = {};
  const conda: Record<string, unknown> = {};
  for (const row of rows) {
    const file = JSON.parse(row.file_metadata) as FileMetadata;
    const { license, license_family } = JSON.parse(row.metadata) as VersionMetadata;
    (file.is_conda ? conda : packages)[row.file_name] = {
      name: channel === '' ? row.name : row.name.slice(channel.length + 1),
      version: row.version,
      noarch: file.noarch ?? '',
      subdir,
      timestamp: file.timestamp ?? 0,
      build: file.build ?? '',
      build_number: file.build_number ?? 0,
      depends: file.dependencies ?? [],
      license: license ?? '',
      license_family: license_family ?? '',
      md5: row.md5,
      sha256: row.sha256,
      size: Number(row.size),
    };
  }
  const content = Buffer.from(`${JSON.stringify({ info: { subdir }, packages, 'packages.conda': conda, removed: [] })}\n`);
  const options = { background: true, deadlineMs: COMPRESS_MS };
  const compressed = await context.workers.run<typeof import('./compress-task.ts')>(COMPRESS_TASK, content, options);
  return [
    { name: 'repodata.json', content },
    { name: 'repodata.json.bz2', content: compressed },
  ];
}

async function filesOf({ db }: Context, owner: User, channel: string, subdir: string) {
  return await listedFiles(db, owner.id, 'conda')
    .innerJoin('package_properties', (join) =>
      join.onRef('package_properties.file_id', '=', 'package_files.id').on('package_properties.name', '=', METADATA),
    )
    .select(['packages.name', 'package_versions.version', 'package_versions.metadata', 'package_files.name as file_name'])
    .select(['package_properties.value as file_metadata', 'package_blobs.md5', 'package_blobs.sha256', 'package_blobs.size'])
    .where('package_files.composite_key', '=', subdir)
    .where(hasProperties('package', { [CHANNEL]: channel }))
    .orderBy('package_files.id')
    .execute();
}
