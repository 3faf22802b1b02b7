import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { joinPlain } from '../indexes/block-parts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import { eachPart } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { currentIndexFile } from '../indexes/current.ts';
import { jsonItems } from '../indexes/json-items.ts';
import { listInOrder, listVersions, type VersionOfPackage } from '../indexes/listed-versions.ts';
import type { PackageCall } from '../protocol/format.ts';
import { serveFile } from '../protocol/serve.ts';
import { findPublished } from '../registry/describe.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import { CONTENT_VERSION, packageId, packageUrl, urlOf } from './responses.ts';

const TYPE = 'swift';
/** The file that lists all releases of a package. */
const RELEASES = 'releases.json';
/** The property of that file that has the highest version. */
const LATEST = 'swift.latest';

/** "List package releases". */
export async function listReleases(call: PackageCall): Promise<HttpResponse> {
  const { context, owner } = call;
  const { db } = context;
  const row = await findPublished(db, { ownerId: owner.id, type: TYPE, name: packageId(call) });
  if (!row) throw new PackageError('no-package', { message: '' });
  const named = { name: RELEASES, compositeKey: urlOf(context, owner, row.name) };
  const found = await currentIndexFile(context, buildReleases, { owner, type: TYPE }, row.lower_name, named);
  const latest = propertyOf((await listProperties(db, 'file', [found.file.id])).get(found.file.id), LATEST) ?? '';
  const headers = { ...CONTENT_VERSION, link: `<${packageUrl(call)}${latest}>; rel="latest-version"` };
  return await serveFile(call, found, { type: 'application/json; charset=utf-8', name: null, isCached: true, headers });
}

/** Builds the list of all releases of a package. The composite key is the URL that is in its links. */
export async function buildReleases(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const row = await findPublished(db, { ownerId: owner.id, type: TYPE, name });
  const latest = row && (await listInOrder(context, row.id)).at(-1)?.version;
  const index = { ownerId: owner.id, type: TYPE, key: name } as const;
  const url = row ? urlOf(context, owner, row.name) : '';
  await retainDocuments(db, index, latest === undefined ? [] : [url]);
  if (!row || latest === undefined) return [];
  const versions = await listVersions(context, row.id, 'text');
  const write = async (some: readonly VersionOfPackage[], isFirst: boolean) => jsonItems(some.map(entryOf(url)), isFirst);
  const pieces = ['{"releases":{', eachPart(context, { index, name: url, versions, write }), '}}'];
  return [{ name: RELEASES, compositeKey: url, content: Readable.from(joinPlain(pieces)), properties: { [LATEST]: latest } }];
}

function entryOf(url: string) {
  return ({ version }: VersionOfPackage) => `${JSON.stringify(version)}:${JSON.stringify({ url: url + version })}`;
}
