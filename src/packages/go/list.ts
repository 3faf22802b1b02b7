import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { PackageError } from '../errors.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { listVersions, type VersionOfPackage } from '../indexes/listed-versions.ts';
import type { PackageCall } from '../protocol/format.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import { findPublished } from '../registry/describe.ts';
import { decodeCase } from './module.ts';

const TYPE = 'go';
/** The file that lists the versions of a module. */
const LIST = 'list';

/** Builds the list of the versions of a module, in the order in which they were published, one in each line. */
export async function buildList(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const index = { ownerId: owner.id, type: TYPE, key: name } as const;
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name });
  await retainDocuments(context.db, index, row ? [LIST] : []);
  if (!row) return [];
  const versions = await listVersions(context, row.id, 'oldest');
  const write = async (some: readonly VersionOfPackage[]) => some.map(({ version }) => `${version}\n`).join('');
  return [{ name: LIST, content: new ComposedDocument([cachedBlocks(context, { index, name: LIST, versions, write })]) }];
}

/** Serves the list of the versions of a module. */
export async function readList(call: PackageCall) {
  const { context, owner, params } = call;
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name: decodeCase(params.name ?? '') });
  if (!row) throw new PackageError('no-package', { message: '' });
  const index = { type: TYPE, key: row.lower_name, builder: buildList, document: { name: LIST } } as const;
  return await serveIndex(call, index, { type: 'text/plain; charset=utf-8' });
}
