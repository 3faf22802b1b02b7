import type { VersionRow } from '../../database/tables/packages.ts';
import { empty, type HttpResponse, raw } from '../../http/responses.ts';
import { randomAccess } from '../archives/zip.ts';
import { PackageError } from '../errors.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import type { FormatRoute, PackageCall, PackageFormat } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { findVersion, listFiles } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import { publish } from '../registry/publish.ts';
import { searchVersions } from '../registry/search.ts';
import { type RemoteHandler, throughUpstream } from '../upstreams/through.ts';
import { buildList, readList } from './list.ts';
import { decodeCase, isModulePath, readModule } from './module.ts';
import { listUpstreamVersions, serveVersionFile, showUpstreamVersion } from './upstream.ts';

const TYPE = 'go';
/** The property of a version with the text of its `go.mod`. */
const GO_MOD = 'go.mod';

/** Modules of Go: a module proxy (https://go.dev/ref/mod#goproxy-protocol), with an upload of its own. */
export const go: PackageFormat = {
  type: TYPE,
  group: '/go/:rest*',
  routes: [
    { method: 'PUT', path: '/go/upload', access: 'publish', handle: upload },
    // The checksum database is not served: clients ask it themselves.
    { method: 'GET', path: '/go/sumdb/sum.golang.org/supported', access: 'read', handle: nothing },
    { method: 'GET', path: '/go/:name*/@latest', access: 'read', handle: through(showVersion, showUpstreamVersion) },
    { method: 'GET', path: '/go/:name*/@v/list', access: 'read', handle: through(readList, listUpstreamVersions) },
    { method: 'GET', path: '/go/:name*/@v/:version.zip', access: 'read', handle: through(download, fileOf('zip')) },
    { method: 'GET', path: '/go/:name*/@v/:version.info', access: 'read', handle: through(showVersion, showUpstreamVersion) },
    { method: 'GET', path: '/go/:name*/@v/:version.mod', access: 'read', handle: through(showGoMod, fileOf('mod')) },
  ],
  index: buildList,
  deleting: ({ ownerId, packageId }, context) => markPackageIndex(context, ownerId, TYPE, packageId),
};

function fileOf(kind: 'zip' | 'mod'): RemoteHandler {
  return (call, upstream) => serveVersionFile(call, upstream, kind);
}

function through(own: FormatRoute['handle'], remote: RemoteHandler): FormatRoute['handle'] {
  return throughUpstream(TYPE, moduleOf, own, remote);
}

/** The module that may come from an upstream; one of this instance's own host may not. */
function moduleOf({ context, params }: PackageCall): string | undefined {
  const name = decodeCase(params.name ?? '');
  const isOwn = name.split('/', 1)[0] === new URL(context.settings.server.rootUrl).hostname;
  return isModulePath(name) && !isOwn ? name : undefined;
}

async function upload(call: PackageCall): Promise<HttpResponse> {
  const { context, owner } = call;
  const blob = await receivePackage(call, TYPE, { shown: [] });
  const { name, version, goMod } = await readArchive(call, () => readModule(randomAccess(context, blob)));
  await publish(context, {
    owner,
    type: TYPE,
    name,
    version,
    versionProperties: { [GO_MOD]: goMod },
    files: [{ name: `${version}.zip`, blob, isLead: true }],
    indexes: [name.toLowerCase()],
  });
  return empty(201);
}

async function nothing(): Promise<never> {
  throw new PackageError('missing', { message: '404 page not found\n' });
}

async function showVersion(call: PackageCall): Promise<HttpResponse> {
  const { version, created_at } = await find(call);
  const time = new Date(created_at * 1000).toISOString().replace('.000Z', 'Z');
  return raw(JSON.stringify({ Version: version, Time: time }), 'application/json');
}

async function showGoMod(call: PackageCall): Promise<HttpResponse> {
  const { id } = await find(call);
  const properties = await listProperties(call.context.db, 'version', [id]);
  return raw(propertyOf(properties.get(id), GO_MOD) ?? '', 'text/plain; charset=utf-8', {
    headers: { 'x-content-type-options': 'nosniff' },
  });
}

async function download(call: PackageCall): Promise<HttpResponse> {
  const { id } = await find(call);
  const [found] = await listFiles(call.context.db, [id]);
  if (!found) throw new PackageError('no-file');
  return await serveFile(call, found);
}

/** The version of the path; the newest one if it names none, or `latest`. */
async function find({ context: { db }, owner, params }: PackageCall): Promise<VersionRow> {
  const name = decodeCase(params.name ?? '');
  const version = decodeCase(params.version ?? 'latest');
  if (version !== 'latest') return await findVersion(db, { ownerId: owner.id, type: TYPE, name }, version);
  const [newest] = await searchVersions(db, { ownerId: owner.id, type: TYPE, name, latest: true }, { limit: 1 });
  if (!newest) throw new PackageError('no-package');
  return newest;
}
