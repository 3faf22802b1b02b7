import type { Db } from '../../database/database.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { escapeSegment } from '../protocol/escape.ts';
import type { PackageCall } from '../protocol/format.ts';
import { documentStream } from '../protocol/pieces.ts';
import { findPackage, listFiles } from '../registry/find.ts';
import { type ListedVersion, listInOrder, readInOrder, readListed } from '../registry/ordered.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import type { BoxMetadata } from './metadata.ts';

/** The property of a file that names its provider, such as `virtualbox`. */
export const PROVIDER = 'vagrant.provider';

/**
 * The catalog of a box, written while it is sent (https://developer.hashicorp.com/vagrant/docs/boxes/format, "Catalog Metadata"). HEAD tells
 * clients by the media type that the URL is one of a catalog.
 */
export async function serveCatalog(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params, request, baseUrl } = call;
  const { db } = context;
  const row = await findPackage(db, { ownerId: owner.id, type: 'vagrant', name: params.name ?? '' }).catch(noPackage);
  const listed = await listInOrder(db, row.id);
  const latest = await readListed(db, listed.at(-1));
  if (!latest) return noPackage();
  const { description } = JSON.parse(latest.metadata) as BoxMetadata;
  const head = { name: row.name, ...(description && { description }) };
  const document = write(db, head, `${baseUrl}/${escapeSegment(row.name)}`, listed);
  return raw(request.method === 'HEAD' ? '' : documentStream(document), 'application/json; charset=utf-8');
}

async function* write(db: Db, head: object, url: string, listed: readonly ListedVersion[]): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"versions":[`;
  let separator = '';
  for await (const rows of readInOrder(db, listed)) {
    for (const version of await describe(db, url, rows)) {
      yield separator + JSON.stringify(version);
      separator = ',';
    }
  }
  yield ']}\n';
}

async function describe(db: Db, url: string, rows: readonly PackageVersionRow[]): Promise<object[]> {
  const files = await listFiles(
    db,
    rows.map(({ id }) => id),
  );
  const properties = await listProperties(
    db,
    'file',
    files.map(({ file }) => file.id),
  );
  const byVersion = Map.groupBy(files, ({ file }) => file.version_id);
  return rows.map(({ id, version }) => ({
    version,
    status: 'active',
    providers: (byVersion.get(id) ?? [])
      .toSorted((a, b) => (a.file.lower_name < b.file.lower_name ? -1 : 1))
      .map(({ file, blob }) => ({
        name: propertyOf(properties.get(file.id), PROVIDER) ?? '',
        url: `${url}/${escapeSegment(version)}/${escapeSegment(file.name)}`,
        checksum: blob.sha512,
        checksum_type: 'sha512',
      })),
  }));
}

function noPackage(error: unknown = new PackageError('no-package')): never {
  throw error instanceof PackageError && error.problem === 'no-package' ? new PackageError('no-package', { message: '' }) : error;
}
