import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { ListedVersion } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { jsonItems } from '../indexes/json-items.ts';
import { listInOrder, readListed } from '../indexes/listed-versions.ts';
import { escapeSegment } from '../protocol/escape.ts';
import type { PackageCall } from '../protocol/format.ts';
import { registryUrl } from '../protocol/registry-url.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import { findPublished } from '../registry/describe.ts';
import { listFiles } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import type { BoxMetadata } from './metadata.ts';

const TYPE = 'vagrant';
const CATALOG = 'catalog.json';

/** The property of a file that names its provider, such as `virtualbox`. */
export const PROVIDER = 'vagrant.provider';

/**
 * The catalog of a box (https://developer.hashicorp.com/vagrant/docs/boxes/format, "Catalog Metadata"). HEAD tells clients by the media type
 * that the URL is one of a catalog.
 */
export async function serveCatalog(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params, baseUrl } = call;
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name: params.name ?? '' });
  if (!row) throw new PackageError('no-package', { message: '' });
  const named = { name: CATALOG, compositeKey: baseUrl };
  const index = { type: TYPE, key: row.lower_name, builder: buildCatalog, document: named } as const;
  return await serveIndex(call, index, { type: 'application/json; charset=utf-8' });
}

/** Builds the catalog of a box. The composite key is the URL that is in its links. */
export async function buildCatalog(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const row = await findPublished(db, { ownerId: owner.id, type: TYPE, name });
  const versions = row ? await listInOrder(context, row.id) : [];
  const index = { ownerId: owner.id, type: TYPE, key: name } as const;
  const url = registryUrl(context, owner, TYPE);
  const [latest] = await readListed(db, versions.slice(-1));
  await retainDocuments(db, index, latest ? [url] : []);
  if (!row || !latest) return [];
  const { description } = JSON.parse(latest.metadata) as BoxMetadata;
  const head = { name: row.name, ...(description && { description }) };
  const write = async (some: readonly ListedVersion[], isFirst: boolean) => {
    const items = await describe(db, `${url}/${escapeSegment(row.name)}`, await readListed(db, some));
    return jsonItems(
      items.map((item) => JSON.stringify(item)),
      isFirst,
    );
  };
  const pieces = [
    `${JSON.stringify(head).slice(0, -1)},"versions":[`,
    cachedBlocks(context, { index, name: url, versions, write }),
    ']}\n',
  ];
  return [{ name: CATALOG, compositeKey: url, content: new ComposedDocument(pieces) }];
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
