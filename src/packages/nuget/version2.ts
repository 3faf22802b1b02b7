import { raw, text } from '../../http/responses.ts';
import { trimEnd } from '../../text/trim-end.ts';
import type { FormatRoute, PackageCall } from '../protocol/format.ts';
import { searchPage } from '../protocol/page.ts';
import { describeVersions } from '../registry/describe.ts';
import { findVersion } from '../registry/find.ts';
import { countVersions, searchVersions, type VersionSearch } from '../registry/search.ts';
import { metadataDocument } from './edmx.ts';
import { entryOf, feedOf, serviceDocument } from './feed.ts';
import { registryUrl } from './links.ts';
import type { NugetMetadata } from './nuspec.ts';

/** Version 2 of the protocol, for older clients. */
export const version2Routes: readonly FormatRoute[] = [
  // Clients read these before they sign in.
  { method: 'GET', path: '/nuget', access: 'none', handle: async (call) => xml(serviceDocument(urlOf(call))) },
  { method: 'GET', path: '/nuget/$metadata', access: 'none', handle: async () => xml(metadataDocument()) },
  { method: 'GET', path: "/nuget/Packages(Id=':id([^']+)',Version=':version([^']+)')", access: 'read', handle: readEntry },
  ...(['Packages()', 'Search()'] as const).flatMap((path): FormatRoute[] => [
    { method: 'GET', path: `/nuget/${path}`, access: 'read', handle: (call) => list(call, found(call), 'Search()') },
    { method: 'GET', path: `/nuget/${path}/$count`, access: 'read', handle: (call) => count(call, found(call)) },
  ]),
  { method: 'GET', path: '/nuget/FindPackagesById()', access: 'read', handle: (call) => list(call, named(call), 'FindPackagesById()') },
  { method: 'GET', path: '/nuget/FindPackagesById()/$count', access: 'read', handle: (call) => count(call, named(call)) },
];

async function readEntry(call: PackageCall) {
  const { context, owner, params } = call;
  const { id: name = '', version = '' } = params;
  const row = await findVersion(context.db, { ownerId: owner.id, type: 'nuget', name }, version);
  const [described] = await describeVersions<NugetMetadata>(context.db, [row]);
  return xml(described ? entryOf(urlOf(call), described) : '');
}

async function list(call: PackageCall, search: VersionSearch, path: string) {
  const { context, query } = call;
  const page = searchPage(context, query.get('$skip'), query.get('$top'));
  const versions = await searchVersions(context.db, search, page);
  const described = await describeVersions<NugetMetadata>(context.db, versions);
  const next = versions.length === page.limit ? nextUrl(call, path, (page.offset ?? 0) + page.limit, page.limit) : undefined;
  return xml(feedOf(urlOf(call), described, await countVersions(context, search), next));
}

async function count({ context }: PackageCall, search: VersionSearch) {
  return text(String(await countVersions(context, search)));
}

/** The newest version of each package that a client searches for. */
function found({ owner, query }: PackageCall): VersionSearch {
  const all = { ownerId: owner.id, type: 'nuget', latest: true } as const;
  const term = unquoted(query.get('searchTerm'));
  if (term !== '') return { ...all, nameContains: term };
  // Of an expression such as `substringof('json',tolower(Id))` or `Id eq 'Json'` only the first text matters.
  const filter = query.get('$filter') ?? '';
  const wanted = /'([^']+)'/.exec(filter)?.[1]?.trim() ?? '';
  if (wanted === '') return all;
  return /\seq\s{1,100}'/.test(filter) ? { ...all, name: wanted } : { ...all, nameContains: wanted };
}

/** All versions of the package that a client names. */
function named({ owner, query }: PackageCall): VersionSearch {
  const name = unquoted(query.get('id'));
  return { ownerId: owner.id, type: 'nuget', ...(name !== '' && { name }) };
}

function nextUrl(call: PackageCall, path: string, skip: number, top: number): string {
  const { query } = call;
  const next = new URLSearchParams();
  for (const name of ['$filter', 'id', 'searchTerm']) {
    const value = name === 'id' ? unquoted(query.get(name)) : (query.get(name)?.trim() ?? '');
    if (value !== '' && (name === 'id') === (path === 'FindPackagesById()')) next.set(name, value);
  }
  next.set('$skip', String(skip));
  next.set('$top', String(top));
  next.sort();
  return `${urlOf(call)}/${path}?${next}`;
}

function unquoted(value: string | null): string {
  return trimEnd((value ?? '').trim().replace(/^'+/, ''), "'");
}

function urlOf({ context, owner }: PackageCall): string {
  return registryUrl(context, owner);
}

function xml(document: string) {
  return raw(document, 'application/atom+xml; charset=utf-8');
}
