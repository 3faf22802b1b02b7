import type { Context } from '../../context.ts';
import type { PackageEvent } from '../../events/events.ts';
import { PackageError } from '../errors.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import { prefersType } from '../protocol/accept.ts';
import type { FormatRoute, PackageCall, PackageFormat } from '../protocol/format.ts';
import { serveFile } from '../protocol/serve.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import { findPublished } from '../registry/describe.ts';
import { findFile, findVersion } from '../registry/find.ts';
import { type RemoteHandler, throughUpstream } from '../upstreams/through.ts';
import { serveCoreMetadata, wheelOf } from './core-metadata.ts';
import { isProjectName, normalizeName } from './names.ts';
import { listProjects } from './projects.ts';
import { buildSimple, registryUrl, SIMPLE } from './simple.ts';
import { upload } from './upload.ts';
import { downloadUpstream, readUpstreamSimple } from './upstream.ts';

const TYPE = 'pypi';
const HTML_TYPE = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';

/** The index of Python packages: https://packaging.python.org/en/latest/specifications/simple-repository-api/ */
export const pypi: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'POST', path: '/pypi', access: 'publish', handle: upload },
    { method: 'GET', path: '/pypi/files/:name/:version/:file', access: 'read', handle: through(download, downloadUpstream) },
    { method: 'GET', path: '/pypi/simple', access: 'read', handle: readProjects },
    {
      method: 'GET',
      path: '/pypi/simple/:name',
      access: 'read',
      handle: through(readSimple, (call, upstream) => readUpstreamSimple(call, upstream, typeFor(call))),
    },
  ],
  index: buildSimple,
  deleting: ({ ownerId, packageId }: PackageEvent, context: Context) => markPackageIndex(context, ownerId, TYPE, packageId),
};

function through(own: FormatRoute['handle'], remote: RemoteHandler): FormatRoute['handle'] {
  return throughUpstream(TYPE, ({ params: { name = '' } }) => (isProjectName(name) ? name : undefined), own, remote);
}

function typeFor({ request: { headers } }: PackageCall): string {
  return prefersType(headers.accept, JSON_TYPE, ['text/html', 'application/vnd.pypi.simple.v1+html']) ? JSON_TYPE : HTML_TYPE;
}

async function readProjects(call: PackageCall) {
  const type = typeFor(call);
  return listProjects(call, type, type === JSON_TYPE);
}

async function readSimple(call: PackageCall) {
  const { context, owner, params } = call;
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name: normalizeName(params.name ?? '') });
  if (!row) throw new PackageError('no-package', { message: '' });
  const type = typeFor(call);
  const named = { name: type === JSON_TYPE ? SIMPLE.json : SIMPLE.html, compositeKey: registryUrl(context, owner) };
  const index = { type: TYPE, key: row.lower_name, builder: buildSimple, document: named } as const;
  return await serveIndex(call, index, { type, headers: { vary: 'Accept' } });
}

async function download(call: PackageCall) {
  const { context, owner, params } = call;
  const { name = '', version = '', file = '' } = params;
  const found = await findVersion(context.db, { ownerId: owner.id, type: TYPE, name: normalizeName(name) }, version);
  const wheel = wheelOf(file);
  if (wheel !== undefined) return await serveCoreMetadata(call, await findFile(context.db, found.id, { name: wheel }));
  return await serveFile(call, await findFile(context.db, found.id, { name: file }));
}
