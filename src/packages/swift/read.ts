import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { savedAs } from '../../http/content-disposition.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import { invalid, PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { serveFile } from '../protocol/serve.ts';
import { withoutEmpty } from '../protocol/values.ts';
import { type FoundFile, findVersion, listFiles } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import { type SwiftMetadata, shortVersion } from './metadata.ts';
import { CONTENT_VERSION, json, packageId, packageUrl } from './responses.ts';

const TYPE = 'swift';
const LANGUAGE = { '@type': 'ComputerLanguage', name: 'Swift', url: 'https://swift.org' };
/** Packages that are named for one repository. */
const MAX_IDENTIFIERS = 100;

/** "Fetch information about a package release". */
export async function showRelease(call: PackageCall): Promise<HttpResponse> {
  const { db } = call.context;
  const row = await find(call);
  const { blob } = await fileOf(call, row);
  const { author, ...metadata } = JSON.parse(row.metadata) as SwiftMetadata;
  const ofPackage = (await listProperties(db, 'package', [row.package_id])).get(row.package_id);
  const urls = ((await listProperties(db, 'version', [row.id])).get(row.id) ?? []).filter(({ name }) => name === 'swift.repository_url');
  return json({
    id: packageId(call),
    version: row.version,
    resources: [{ name: 'source-archive', type: 'application/zip', checksum: blob.sha256 }],
    metadata: {
      '@context': ['http://schema.org/'],
      '@type': 'SoftwareSourceCode',
      name: propertyOf(ofPackage, 'swift.name') ?? '',
      version: row.version,
      ...withoutEmpty({
        description: metadata.description,
        keywords: metadata.keywords,
        codeRepository: metadata.repository_url,
        license: metadata.license,
        licenseURL: metadata.license_url,
        author: author && { '@type': 'Person', ...withoutEmpty({ ...author }) },
      }),
      programmingLanguage: LANGUAGE,
      ...withoutEmpty({ repositoryURLs: urls.map(({ value }) => value) }),
    },
  });
}

/** "Fetch manifest for a package release": the one for a version of Swift, or the way to that of all others. */
export async function showManifest(call: PackageCall): Promise<HttpResponse> {
  const { params, query, request } = call;
  const row = await find(call);
  const wanted = shortVersion(query.get('swift-version')?.trim() ?? '');
  const { manifests } = JSON.parse(row.metadata) as SwiftMetadata;
  const manifest = Object.hasOwn(manifests, wanted) ? manifests[wanted] : undefined;
  if (!manifest) return empty(303, { ...CONTENT_VERSION, location: `${packageUrl(call)}${params.version}/Package.swift` });
  const content = Buffer.from(manifest.content);
  const name = wanted === '' ? 'Package.swift' : `Package@swift-${wanted}.swift`;
  return await serveBytes(request, {
    size: content.length,
    type: 'text/x-swift',
    modified: row.created_at,
    headers: {
      ...CONTENT_VERSION,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      ...savedAs(name),
    },
    open: (range) => content.subarray(range?.start ?? 0, range ? range.end + 1 : content.length),
  });
}

/** "Download source archive". */
export async function download(call: PackageCall): Promise<HttpResponse> {
  const found = await fileOf(call, await find(call));
  return await serveFile(call, found, { type: 'application/zip', headers: { ...CONTENT_VERSION, digest: `sha256=${found.blob.sha256}` } });
}

/** "Lookup package identifiers registered for a URL". */
export async function findIdentifiers({ context: { db }, owner, query }: PackageCall): Promise<HttpResponse> {
  const url = query.get('url')?.trim() ?? '';
  if (url === '') throw invalid('');
  const rows = await db
    .selectFrom('packages')
    .select('name')
    .where('owner_id', '=', owner.id)
    .where('type', '=', TYPE)
    .where('is_internal', '=', false)
    .where((where) =>
      where.exists(
        where
          .selectFrom('package_versions')
          .innerJoin('package_properties', 'package_properties.version_id', 'package_versions.id')
          .select('package_versions.id')
          .whereRef('package_versions.package_id', '=', 'packages.id')
          .where('package_properties.name', '=', 'swift.repository_url')
          .where('package_properties.value', '=', url),
      ),
    )
    .orderBy('lower_name')
    .limit(MAX_IDENTIFIERS)
    .execute();
  if (rows.length === 0) throw new PackageError('no-package', { message: '' });
  return json({ identifiers: rows.map(({ name }) => name) });
}

async function find(call: PackageCall): Promise<PackageVersionRow> {
  const { context, owner, params } = call;
  return await findVersion(context.db, { ownerId: owner.id, type: TYPE, name: packageId(call) }, params.version ?? '');
}

async function fileOf({ context }: PackageCall, { id }: PackageVersionRow): Promise<FoundFile> {
  const [found] = await listFiles(context.db, [id]);
  if (!found) throw new PackageError('no-file');
  return found;
}
