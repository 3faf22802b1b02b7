import { signInWithToken } from '../../accounts/sign-in/sign-in.ts';
import { empty } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import type { PackageCall, PackageFormat, SignInRequest } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { searchPage } from '../protocol/page.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { serveFile } from '../protocol/serve.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import { deleteVersion } from '../registry/delete.ts';
import { describeVersions, findPublished } from '../registry/describe.ts';
import { findFile, findVersion, withBlobs } from '../registry/find.ts';
import { searchFiles } from '../registry/search.ts';
import { registryUrl } from './links.ts';
import type { NugetMetadata } from './nuspec.ts';
import { upload, uploadSymbols } from './publish.ts';
import { buildRegistration, INDEX, presentLeaf } from './registration.ts';
import { search } from './search.ts';
import { version2Routes } from './version2.ts';

const TYPE = 'nuget';

/** A registry of NuGet, in version 3 and 2 of its protocol: https://learn.microsoft.com/en-us/nuget/api/overview */
export const nuget: PackageFormat = {
  type: TYPE,
  routes: [
    {
      method: 'GET',
      path: '/nuget/index.json',
      access: 'none',
      handle: async (call) => json(serviceIndex(registryUrl(call.context, call.owner))),
    },
    { method: 'GET', path: '/nuget/query', access: 'read', handle: readSearch },
    { method: 'GET', path: '/nuget/registration/:id/index.json', access: 'read', handle: (call) => readIndex(call, INDEX.registration) },
    { method: 'GET', path: '/nuget/registration/:id/:version', access: 'read', handle: readLeaf },
    { method: 'GET', path: '/nuget/package/:id/index.json', access: 'read', handle: (call) => readIndex(call, INDEX.versions) },
    { method: 'GET', path: '/nuget/package/:id/:version/:file', access: 'read', handle: download },
    { method: 'PUT', path: '/nuget', access: 'publish', handle: upload },
    { method: 'PUT', path: '/nuget/symbolpackage', access: 'publish', handle: uploadSymbols },
    { method: 'GET', path: '/nuget/symbols/:file/:key([0-9a-fA-F]{32}[fF]{8})/:same', access: 'read', handle: downloadSymbols },
    { method: 'DELETE', path: '/nuget/:id/:version', access: 'write', handle: remove },
    ...version2Routes,
  ],
  index: buildRegistration,
  deleting: ({ ownerId, packageId }, context) => markPackageIndex(context, ownerId, TYPE, packageId),
  signIn,
  refuse: (error) =>
    isOfRegistry(error) ? plainRefusal(error) : json({ Message: error.message }, { status: error.status, headers: error.headers }),
};

/** A token as the client's API key; one that is none is left out. */
async function signIn({ services, request }: SignInRequest) {
  const key = request.headers['x-nuget-apikey'];
  return typeof key === 'string' && key !== '' ? await signInWithToken(services, key, false) : undefined;
}

function serviceIndex(url: string) {
  const kinds = ['', '/3.0.0-beta', '/3.0.0-rc'];
  const resources = [
    ...kinds.map((kind) => [`${url}/query`, `SearchQueryService${kind}`]),
    ...kinds.map((kind) => [`${url}/registration`, `RegistrationsBaseUrl${kind}`]),
    [`${url}/package`, 'PackageBaseAddress/3.0.0'],
    [url, 'PackagePublish/2.0.0'],
    [`${url}/symbolpackage`, 'SymbolPackagePublish/4.9.0'],
  ];
  return { version: '3.0.0', resources: resources.map(([id, type]) => ({ '@id': id, '@type': type })) };
}

async function readSearch({ context, owner, query }: PackageCall) {
  return json(await search(context, owner, (query.get('q') ?? '').trim(), searchPage(context, query.get('skip'), query.get('take'))));
}

async function readIndex(call: PackageCall, name: string) {
  const { context, owner, params } = call;
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name: params.id ?? '' });
  if (!row) throw new PackageError('no-package', { message: '' });
  const named = { name, compositeKey: registryUrl(context, owner) };
  const index = { type: TYPE, key: row.lower_name, builder: buildRegistration, document: named } as const;
  return await serveIndex(call, index, { type: 'application/json;charset=utf-8' });
}

async function readLeaf(call: PackageCall) {
  const { context, owner } = call;
  const [described] = await describeVersions<NugetMetadata>(context.db, [
    await findNamed(call, (call.params.version ?? '').replace(/\.json$/, '')),
  ]);
  if (!described) throw new PackageError('no-package');
  return json(presentLeaf(registryUrl(context, owner), described));
}

async function download(call: PackageCall) {
  const { version = '', file = '' } = call.params;
  const found = await findNamed(call, version);
  return await serveFile(call, await findFile(call.context.db, found.id, { name: file }));
}

/** https://github.com/dotnet/symstore/blob/main/docs/specs/Simple_Symbol_Query_Protocol.md */
async function downloadSymbols(call: PackageCall) {
  const { context, owner, params } = call;
  const { file = '', key = '', same = '' } = params;
  if (file !== same) throw new PackageError('invalid', { message: '' });
  const wanted = { ownerId: owner.id, type: TYPE, name: file, compositeKey: key.slice(0, 32).toLowerCase() } as const;
  const [found, other] = await withBlobs(context.db, await searchFiles(context.db, wanted, { limit: 2 }));
  if (!found || other) throw new PackageError('no-file', { message: '' });
  return await serveFile(call, found);
}

async function remove(call: PackageCall) {
  await deleteVersion(call.context, await findNamed(call, call.params.version ?? ''));
  return empty(204);
}

async function findNamed({ context, owner, params }: PackageCall, version: string) {
  return await findVersion(context.db, { ownerId: owner.id, type: TYPE, name: params.id ?? '' }, version);
}
