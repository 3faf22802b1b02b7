import { now } from '../../clock.ts';
import { inTransaction } from '../../context.ts';
import { empty, text } from '../../http/responses.ts';
import { invalid, PackageError } from '../errors.ts';
import { buildIndexes, findIndexFile } from '../indexes/build.ts';
import { markIndexes } from '../indexes/mark.ts';
import type { PackageCall } from '../protocol/format.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { readBody, receivePackage } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { serveOpenPgpKey } from '../protocol/serve-key.ts';
import { deleteFile } from '../registry/delete.ts';
import { type FoundFile, findFile, findVersion } from '../registry/find.ts';
import { maxFileSize } from '../registry/limits.ts';
import { publish, setMetadata } from '../registry/publish.ts';
import { buildIndex, indexKey, listIndexKeys, METADATA } from './indexes.ts';
import { readPackage, type VersionMetadata } from './read.ts';
import { signPackage } from './sign.ts';
import { requireFewUpdates } from './stored-updates.ts';
import { addUpdates, parseUpdates } from './updates.ts';

const TYPE = 'rpm';
const NOARCH = 'noarch';
const MAX_UPDATES_BYTES = 1024 * 1024;

/** `GET /GROUP.repo`: a file for `/etc/yum.repos.d`. */
export async function serveConfiguration({ context, owner, params, baseUrl }: PackageCall) {
  const groups = (params.group ?? '').split('/').filter((part) => part !== '');
  const lines = [
    `[gitea-${[owner.lower_name, ...groups].join('-')}]`,
    `name=${[owner.name, context.settings.instance.name, ...groups].join(' - ')}`,
    `baseurl=${[baseUrl, ...groups].join('/')}`,
    'enabled=1',
    'gpgcheck=1',
    `gpgkey=${baseUrl}/repository.key`,
  ];
  return text(lines.join('\n'));
}

/** `GET /repository.key`: what the metadata are signed with. */
export async function serveKey(call: PackageCall) {
  return await serveOpenPgpKey(call, TYPE, 'repository.key');
}

/** `GET /GROUP/repodata/FILE` */
export async function serveMetadata(call: PackageCall) {
  const { context, owner, params } = call;
  const key = indexKey(params.group ?? '');
  await buildIndexes(context, buildIndex, { owner, type: TYPE }, [key]);
  return await serveFile(call, await findIndexFile(context.db, owner.id, TYPE, key, { name: params.file ?? '' }), { isCached: true });
}

/** `PUT /GROUP/upload`; with `sign=true` the package is signed with the key of the repository. */
export async function upload(call: PackageCall) {
  const { context, owner, params } = call;
  const { group = '' } = params;
  if (/[\s\p{Cc}]/u.test(group)) throw invalid('invalid group');
  const received = await receivePackage(call, TYPE);
  const { name, version, versionMetadata, fileMetadata } = await readPackage(context, received);
  const isToBeSigned = /^(?:1|t|true|on)$/i.test(call.query.get('sign') ?? '');
  const blob = isToBeSigned ? await signPackage(context, owner, received, maxFileSize(context, TYPE)) : received;
  const { architecture } = fileMetadata;
  const properties = { 'rpm.group': group, 'rpm.architecture': architecture, [METADATA]: JSON.stringify(fileMetadata) };
  const file = { ...fileOf(group, name, version, architecture), blob, isLead: true, properties };
  const indexes = [indexKey(group)];
  await publish(context, { owner, type: TYPE, name, version, metadata: versionMetadata, existing: 'append', files: [file], indexes });
  return empty(201);
}

/** `GET /GROUP/package/NAME/VERSION/ARCHITECTURE`: a package for this architecture, or for all. */
export async function download(call: PackageCall) {
  const found = await find(call);
  const { architecture = '' } = call.params;
  return await serveFile(call, await fileFor(call, found.id, architecture));
}

/** `DELETE /GROUP/package/NAME/VERSION/ARCHITECTURE` */
export async function remove(call: PackageCall) {
  const { context, params } = call;
  const { group = '', name = '', version = '', architecture = '' } = params;
  const found = await find(call);
  const { file } = await findFile(context.db, found.id, fileOf(group, name, version, architecture));
  await deleteFile(context, found, file, { indexes: [indexKey(group)] });
  return empty(204);
}

/** `POST /GROUP/package/NAME/VERSION/errata`: says why the version is an update. */
export async function addErrata(call: PackageCall) {
  const time = new Date(now() * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const added = parseUpdates(parseJson('the body', await readBody(call, MAX_UPDATES_BYTES)), time);
  await inTransaction(call.context, async (context) => {
    const found = await find({ ...call, context });
    // Two that add at once wait for each other.
    const { metadata } = await context.db
      .selectFrom('package_versions')
      .select('metadata')
      .where('id', '=', found.id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const kept = JSON.parse(metadata) as VersionMetadata;
    await setMetadata(context.db, found.id, { ...kept, updates: addUpdates(kept.updates ?? [], added, time) });
    await requireFewUpdates(context.db, call.owner.id, found.id);
    await markIndexes(context, call.owner.id, TYPE, await listIndexKeys(context.db, found.id));
  });
  return empty(200);
}

async function find({ context, owner, params }: PackageCall) {
  const { name = '', version = '' } = params;
  return await findVersion(context.db, { ownerId: owner.id, type: TYPE, name }, version);
}

async function fileFor({ context, params }: PackageCall, versionId: number, architecture: string): Promise<FoundFile> {
  const { group = '', name = '', version = '' } = params;
  try {
    return await findFile(context.db, versionId, fileOf(group, name, version, architecture));
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    return await findFile(context.db, versionId, fileOf(group, name, version, NOARCH));
  }
}

function fileOf(group: string, name: string, version: string, architecture: string) {
  return { name: `${name}-${version}.${architecture}.rpm`, compositeKey: group };
}
