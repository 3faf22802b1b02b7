import { empty, HttpResponse } from '../../http/responses.ts';
import { openArchive } from '../blobs/content.ts';
import { invalid, PackageError } from '../errors.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import type { PackageCall, PackageFormat } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { serveFile } from '../protocol/serve.ts';
import { findFile, findVersion } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';
import { parseVersion } from '../versions/loose.ts';
import { buildCatalog, PROVIDER, serveCatalog } from './catalog.ts';
import { readBox } from './metadata.ts';

const TYPE = 'vagrant';
const BOX = '/vagrant/:name/:version/:file';

/** Boxes of Vagrant: a catalog of each (https://developer.hashicorp.com/vagrant/docs/boxes/format), and files by version and provider. */
export const vagrant: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'GET', path: '/vagrant/authenticate', access: 'read', handle: checkSignIn },
    { method: 'GET', head: true, path: '/vagrant/:name', access: 'read', handle: serveCatalog },
    { method: 'GET', path: BOX, access: 'read', handle: download },
    { method: 'PUT', path: BOX, access: 'publish', handle: upload },
  ],
  index: buildCatalog,
  deleting: ({ ownerId, packageId }, context) => markPackageIndex(context, ownerId, TYPE, packageId),
  refuse: (error) =>
    isOfRegistry(error)
      ? plainRefusal(error)
      : new HttpResponse({ errors: [error.message] }, { status: error.status, headers: { ...error.headers } }),
};

async function checkSignIn({ context }: PackageCall): Promise<HttpResponse> {
  if (!context.actor) throw new PackageError('invalid', { status: 401, message: 'Invalid access token' });
  return empty(200);
}

async function upload(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params } = call;
  const { name = '', version = '', file = '' } = params;
  if (!parseVersion(version)) throw invalid(`malformed version: ${version}`);
  if (!file.endsWith('.box')) throw invalid('');
  const blob = await receivePackage(call, TYPE);
  const metadata = await readArchive(call, async () => readBox(await openArchive(context, blob)));
  const properties = { [PROVIDER]: file.slice(0, -'.box'.length) };
  await publish(context, {
    owner,
    type: TYPE,
    name,
    version,
    semverCompatible: true,
    metadata,
    existing: 'append',
    files: [{ name: file.toLowerCase(), blob, isLead: true, properties }],
    indexes: [name.toLowerCase()],
  });
  return empty(201);
}

async function download(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params } = call;
  const { name = '', version = '', file = '' } = params;
  const { id } = await findVersion(context.db, { ownerId: owner.id, type: TYPE, name }, version);
  return await serveFile(call, await findFile(context.db, id, { name: file }));
}
