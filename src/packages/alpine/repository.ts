import { empty } from '../../http/responses.ts';
import { invalid, PackageError } from '../errors.ts';
import { buildIndexes, findIndexFile } from '../indexes/build.ts';
import { requireFewLists } from '../indexes/few-lists.ts';
import { placesBelow } from '../indexes/listed-files.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { serveFile, serveSmall } from '../protocol/serve.ts';
import { deleteFile } from '../registry/delete.ts';
import { type FoundFile, findVersionById, withBlobs } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';
import { searchFiles } from '../registry/search.ts';
import { architectureOf, BRANCH, buildIndex, indexKey, METADATA, NOARCH, placeOf, REPOSITORY, repositoryKey } from './indexes.ts';
import { isWord, readPackage } from './read.ts';

const TYPE = 'alpine';

/** `GET /key`: the public key of the indexes; clients identify it by its name. */
export async function serveKey(call: PackageCall) {
  const { publicKey, name } = await repositoryKey(call.context, call.owner);
  return await serveSmall(call, Buffer.from(publicKey), { type: 'application/x-pem-file', name });
}

/** `GET /BRANCH/REPOSITORY/ARCHITECTURE/APKINDEX.tar.gz` */
export async function serveIndex(call: PackageCall) {
  const { context, owner, params } = call;
  const key = indexKey(params.branch ?? '', params.repository ?? '');
  await buildIndexes(context, buildIndex, { owner, type: TYPE }, [key]);
  const named = { name: 'APKINDEX.tar.gz', compositeKey: params.architecture ?? '' };
  return await serveFile(call, await findIndexFile(context.db, owner.id, TYPE, key, named), { isCached: true });
}

/** `PUT /BRANCH/REPOSITORY` */
export async function upload(call: PackageCall) {
  const { context, owner, params } = call;
  const branch = (params.branch ?? '').trim();
  const repository = (params.repository ?? '').trim();
  if (!isWord(branch) || !isWord(repository)) throw invalid('invalid branch or repository');
  const blob = await receivePackage(call, TYPE);
  const { name, version, versionMetadata, fileMetadata } = await readArchive(call, () => readPackage(context, blob));
  const { architecture } = fileMetadata;
  const properties = {
    [BRANCH]: branch,
    [REPOSITORY]: repository,
    'alpine.architecture': architecture,
    [METADATA]: JSON.stringify(fileMetadata),
  };
  const compositeKey = placeOf(branch, repository, architecture);
  const key = indexKey(branch, repository);
  await requireFewLists(context, { ownerId: owner.id, type: TYPE, key }, architecture, async () => {
    const places = await placesBelow(context.db, owner.id, TYPE, `${key}|`);
    return places.map(architectureOf);
  });
  await publish(context, {
    owner,
    type: TYPE,
    name,
    version,
    metadata: versionMetadata,
    existing: 'append',
    files: [{ name: `${name}-${version}.apk`, compositeKey, blob, isLead: true, properties }],
    indexes: [key],
  });
  return empty(201);
}

/** `GET /BRANCH/REPOSITORY/ARCHITECTURE/NAME-VERSION.apk`: one for this architecture, or for all. */
export async function download(call: PackageCall) {
  const { architecture = '' } = call.params;
  const found = (await find(call, architecture)) ?? (await find(call, NOARCH));
  if (!found) throw nothing();
  return await serveFile(call, found);
}

/** `DELETE /BRANCH/REPOSITORY/ARCHITECTURE/NAME-VERSION.apk` */
export async function remove(call: PackageCall) {
  const { context, params } = call;
  const found = await find(call, params.architecture ?? '');
  const version = found && (await findVersionById(context.db, found.file.version_id));
  if (!version) throw nothing();
  await deleteFile(context, version, found.file, { indexes: [indexKey(params.branch ?? '', params.repository ?? '')] });
  return empty(204);
}

async function find({ context: { db }, owner, params }: PackageCall, architecture: string): Promise<FoundFile | undefined> {
  const { branch = '', repository = '', file = '' } = params;
  const compositeKey = placeOf(branch, repository, architecture);
  const [found] = await withBlobs(db, await searchFiles(db, { ownerId: owner.id, type: TYPE, name: file, compositeKey }, { limit: 1 }));
  return found;
}

function nothing(): PackageError {
  return new PackageError('missing', { message: '' });
}
