import { signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { forbidden } from '../../http/errors.ts';
import { only } from '../../http/only.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, type Requirement } from '../../http/route.ts';
import { array, ref, type Shape, wireTime } from '../../http/schema.ts';
import type { Settings } from '../../settings.ts';
import { ownsPackages, packageOwnerRoute } from '../api/load.ts';
import { countCachedPackages, listCachedPackages, purgeCachedPackage } from './cached-packages.ts';
import { patternsOf } from './choose.ts';
import { cachedSizes } from './evict.ts';
import type { UpstreamType } from './names.ts';
import { CachedPackage, CreatePackageUpstreamOption, EditPackageUpstreamOption, PackageUpstream } from './schema.ts';
import { createUpstream, deleteUpstream, editUpstream, findUpstream, listUpstreams } from './upstreams.ts';

/** The setting lets the caller manage upstreams. */
const managesUpstreams: Requirement = {
  name: 'package-upstreams',
  check: (_, { actor, settings: { packages } }) => {
    if (packages.upstreams === 'off') throw forbidden('upstreams of packages are switched off');
    if (packages.upstreams === 'administrators' && !actor?.is_admin) throw forbidden('upstreams of packages are for site administrators');
  },
};

const UPSTREAMS = '/packages/:owner/upstreams';
const UPSTREAM = `${UPSTREAMS}/:id` as const;
const when = ({ packages }: Settings) => packages.enabled;
const reading = { scope: 'package', when, needs: [signedIn, ownsPackages] } as const;
const changing = { scope: 'package', when, needs: [signedIn, ownsPackages, managesUpstreams] } as const;
const parameters = { id: { type: 'integer', format: 'int64', description: 'id of the upstream' } } as const;

/** Upstream registries of an owner's packages, and what is cached of them. */
export const upstreamRoutes: readonly AnyRoute[] = [
  packageOwnerRoute({
    ...reading,
    method: 'GET',
    path: UPSTREAMS,
    id: 'listPackageUpstreams',
    summary: 'Lists the upstream registries of an owner',
    responses: { 200: array(ref(PackageUpstream)) },
    handle: async ({ user }, context) => {
      const upstreams = await present(context, await listUpstreams(context, user));
      return listed(upstreams, upstreams.length);
    },
  }),
  packageOwnerRoute({
    ...changing,
    method: 'POST',
    path: UPSTREAMS,
    id: 'createPackageUpstream',
    summary: 'Adds an upstream registry',
    body: CreatePackageUpstreamOption,
    responses: { 201: PackageUpstream },
    handle: async ({ user, body: { type, url, ...terms } }, context) =>
      await presentOne(context, await createUpstream(context, user, type, { url, ...given(terms) })),
  }),
  packageOwnerRoute({
    ...reading,
    method: 'GET',
    path: UPSTREAM,
    parameters,
    id: 'getPackageUpstream',
    summary: 'Gets an upstream registry',
    responses: { 200: PackageUpstream },
    handle: async ({ user, params }, context) => await presentOne(context, await findUpstream(context, user, Number(params.id))),
  }),
  packageOwnerRoute({
    ...changing,
    method: 'PATCH',
    path: UPSTREAM,
    parameters,
    id: 'editPackageUpstream',
    summary: 'Changes an upstream registry',
    body: EditPackageUpstreamOption,
    responses: { 200: PackageUpstream },
    handle: async ({ user, params, body }, context) =>
      await presentOne(context, await editUpstream(context, user, Number(params.id), given(body))),
  }),
  packageOwnerRoute({
    ...changing,
    method: 'DELETE',
    path: UPSTREAM,
    parameters,
    id: 'deletePackageUpstream',
    summary: 'Deletes an upstream registry, and all that is cached of it',
    responses: { 204: null },
    handle: async ({ user, params }, context) => {
      await deleteUpstream(context, user, Number(params.id));
      return empty(204);
    },
  }),
  packageOwnerRoute({
    ...reading,
    method: 'GET',
    path: `${UPSTREAM}/packages`,
    parameters,
    id: 'listCachedPackages',
    summary: 'Lists the packages of which something is cached',
    query: pageQuery,
    responses: { 200: array(ref(CachedPackage)) },
    handle: async ({ user, params, query, request }, context) => {
      const page = pageOf(context, query);
      const upstream = await findUpstream(context, user, Number(params.id));
      const packages = await listCachedPackages(context, upstream, page);
      const shown = packages.map(({ used_at, ...rest }) => ({ ...rest, used_at: wireTime(used_at) }));
      return listed(shown, await countCachedPackages(context, upstream), { url: request.url, ...page });
    },
  }),
  packageOwnerRoute({
    ...changing,
    method: 'DELETE',
    path: `${UPSTREAM}/packages/:name`,
    parameters: { ...parameters, name: { description: 'name of the package' } },
    id: 'deleteCachedPackage',
    summary: 'Removes all that is cached of a package',
    responses: { 204: null },
    handle: async ({ user, params }, context) => {
      await purgeCachedPackage(context, await findUpstream(context, user, Number(params.id)), params.name);
      return empty(204);
    },
  }),
];

/** What a body has. */
function given<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never;
}

async function presentOne(context: Context, row: PackageUpstreamRow): Promise<Shape<typeof PackageUpstream>> {
  return only(await present(context, [row]));
}

async function present({ db }: Context, rows: readonly PackageUpstreamRow[]): Promise<Shape<typeof PackageUpstream>[]> {
  const sizes = await cachedSizes(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ owner_id: _, credentials, created_at: created, updated_at: updated, ...row }) => ({
    ...row,
    type: row.type as UpstreamType,
    allow: [...patternsOf(row.allow)],
    deny: [...patternsOf(row.deny)],
    has_password: credentials !== null,
    cached_size: sizes.get(row.id) ?? 0,
    created_at: wireTime(created),
    updated_at: wireTime(updated),
  }));
}
