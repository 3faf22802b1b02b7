import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { wireTime } from '../../http/schema.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { searchPage } from '../protocol/page.ts';
import { serveFile } from '../protocol/serve.ts';
import { describeVersions } from '../registry/describe.ts';
import { findPackage, findPackagesById, findVersion, listFiles, listVersions } from '../registry/find.ts';
import { countVersions, searchVersions } from '../registry/search.ts';
import { byNumbers } from '../versions/compare.ts';
import type { ChefMetadata } from './metadata.ts';

const TYPE = 'chef';

/** `GET /cookbooks` and `/search?q=…`: the newest version of each cookbook, in parts. */
export async function listCookbooks(call: PackageCall) {
  const { context, owner, query } = call;
  const search = { ownerId: owner.id, type: TYPE, nameContains: query.get('q')?.trim(), latest: true } as const;
  const page = searchPage(context, query.get('start'), query.get('items'));
  const byName = !/^recently_(?:updated|added)$/i.test(query.get('order')?.trim() ?? '');
  const versions = await searchVersions(context.db, search, { ...page, byName });
  const found = (await describeVersions<ChefMetadata>(context.db, versions)).map(({ package: { name }, metadata }) => {
    const { author = '', description = '' } = metadata;
    return { cookbook_name: name, cookbook_maintainer: author, cookbook_description: description, cookbook: cookbookUrl(call, name) };
  });
  return json({ start: page.offset, total: await countVersions(context, search), items: found });
}

/** `GET /cookbooks/NAME` */
export async function showCookbook(call: PackageCall) {
  const { context, owner, params } = call;
  const named = { ownerId: owner.id, type: TYPE, name: params.name ?? '' } as const;
  const versions = (await listVersions(context.db, named)).sort((a, b) => byNumbers(a.version, b.version));
  const latest = versions.at(-1);
  if (!latest) throw new PackageError('no-package', { message: '' });
  const { name } = await findPackage(context.db, named);
  const { metadata } = await findVersion(context.db, named, latest.version);
  const { author = '', description = '', repository_url = '' } = JSON.parse(metadata) as ChefMetadata;
  const url = `${cookbookUrl(call, named.name)}/versions/`;
  return json({
    name,
    maintainer: author,
    description,
    category: '',
    latest_version: url + latest.version,
    source_url: repository_url,
    created_at: wireTime(latest.created_at),
    updated_at: wireTime(latest.created_at),
    deprecated: false,
    versions: versions.map(({ version }) => url + version),
  });
}

/** `GET /cookbooks/NAME/versions/VERSION`; clients write `1_0_0` for 1.0.0. */
export async function showVersion(call: PackageCall) {
  const { context, params } = call;
  const found = await find(call, (params.version ?? '').replaceAll('_', '.'));
  const { name } = (await findPackagesById(context.db, [found.package_id])).get(found.package_id) ?? { name: '' };
  const [file] = await listFiles(context.db, [found.id]);
  const { license = '', dependencies = null } = JSON.parse(found.metadata) as ChefMetadata;
  return json({
    version: found.version,
    tarball_file_size: Number(file?.blob.size ?? 0),
    published_at: wireTime(found.created_at),
    cookbook: cookbookUrl(call, name),
    file: `${cookbookUrl(call, name)}/versions/${found.version}/download`,
    license,
    dependencies,
  });
}

/** `GET /cookbooks/NAME/versions/VERSION/download` */
export async function download(call: PackageCall) {
  const [file] = await listFiles(call.context.db, [(await find(call, call.params.version ?? '')).id]);
  if (!file) throw new PackageError('no-file');
  return await serveFile(call, file);
}

async function find({ context, owner, params }: PackageCall, version: string): Promise<PackageVersionRow> {
  return await findVersion(context.db, { ownerId: owner.id, type: TYPE, name: params.name ?? '' }, version);
}

function apiUrl({ baseUrl }: PackageCall): string {
  return `${baseUrl}/api/v1`;
}

function cookbookUrl(call: PackageCall, name: string): string {
  return `${apiUrl(call)}/cookbooks/${encodeURIComponent(name)}`;
}
