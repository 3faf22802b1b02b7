import { findRepositoryOf } from '../../access/find-repository.ts';
import { signedIn } from '../../access/requirements.ts';
import { PACKAGE_TYPES } from '../../database/tables/package-types.ts';
import { notFoundBecause } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import type { Settings } from '../../settings.ts';
import { linkPackage, unlinkPackage } from '../owners/links.ts';
import { completeDigests } from '../registry/complete-digests.ts';
import { deleteVersion } from '../registry/delete.ts';
import { deletePackage } from '../registry/delete-package.ts';
import { listFiles } from '../registry/find.ts';
import { countVersions, searchVersions } from '../registry/search.ts';
import { packageOwnerRoute, packageRoute, packageVersionRoute, readsPackages, typeOf, writesPackages } from './load.ts';
import { presentFile, presentVersion, presentVersions } from './present.ts';
import { Package, PackageFile } from './schema.ts';

const OWNER = '/packages/:owner';
const PACKAGE = `${OWNER}/:type/:name` as const;
const VERSION = `${PACKAGE}/:version` as const;

/** The types in the description; others are accepted as well. */
const DESCRIBED_TYPES = PACKAGE_TYPES.filter((type) => type !== 'arch');

const when = ({ packages }: Settings) => packages.enabled;
const reading = { scope: 'package', when, needs: [signedIn, readsPackages] } as const;
const writing = { scope: 'package', when, needs: [signedIn, readsPackages, writesPackages] } as const;

/** Packages of users and organizations; their contents are published and read by the routes of the formats. */
export const packageRoutes: readonly AnyRoute[] = [
  packageOwnerRoute({
    ...reading,
    method: 'GET',
    path: OWNER,
    id: 'listPackages',
    summary: 'Lists the versions of the packages of an owner, the newest first',
    query: {
      ...pageQuery,
      type: query.string('only packages of this type', { enum: DESCRIBED_TYPES }),
      q: query.string('only packages whose name contains this'),
    },
    responses: { 200: array(ref(Package)) },
    handle: async ({ user, query, request }, context) => {
      const page = pageOf(context, query);
      const type = typeOf(query.type);
      const search = { ownerId: user.id, nameContains: query.q?.trim(), ...(type !== 'all' && { type }) };
      // An unknown type has no packages.
      const versions = type ? await searchVersions(context.db, search, page) : [];
      const total = type ? await countVersions(context, search) : 0;
      return listed(await presentVersions(context, user, versions), total, { url: request.url, ...page });
    },
  }),
  packageRoute({
    ...reading,
    method: 'GET',
    path: PACKAGE,
    id: 'listPackageVersions',
    summary: 'Lists the versions of a package, the newest first',
    query: pageQuery,
    responses: { 200: array(ref(Package)) },
    handle: async ({ user, package: row, query, request }, context) => {
      const page = pageOf(context, query);
      const search = { ownerId: user.id, type: row.type, name: row.name };
      const versions = await searchVersions(context.db, search, page);
      const total = await countVersions(context, search);
      return listed(await presentVersions(context, user, versions), total, { url: request.url, ...page });
    },
  }),
  packageRoute({
    ...writing,
    method: 'DELETE',
    path: PACKAGE,
    id: 'deletePackage',
    summary: 'Deletes a package with all its versions',
    responses: { 204: null },
    handle: async ({ package: row }, context) => {
      await deletePackage(context, row);
      return empty(204);
    },
  }),
  packageRoute({
    ...reading,
    method: 'GET',
    path: `${PACKAGE}/-/latest`,
    id: 'getLatestPackageVersion',
    summary: 'Gets the version of a package that was published last',
    responses: { 200: Package },
    handle: async ({ user, package: row }, context) => {
      const search = { ownerId: user.id, type: row.type, name: row.name };
      const [version] = await searchVersions(context.db, search, { limit: 1 });
      if (!version) throw notFoundBecause('GetPackageByName: package does not exist');
      return await presentVersion(context, user, version);
    },
  }),
  packageRoute({
    ...writing,
    method: 'POST',
    path: `${PACKAGE}/-/link/:repo_name`,
    id: 'linkPackage',
    summary: 'Links a package to a repository of its owner',
    responses: { 201: null },
    also: [400],
    handle: async ({ user, package: row, params }, context) => {
      const repository = await findRepositoryOf(context.db, user, params.repo_name);
      if (!repository) {
        throw notFoundBecause(`repository does not exist [id: 0, uid: ${user.id}, owner_name: , name: ${params.repo_name}]`);
      }
      await linkPackage(context, row, repository);
      return empty(201);
    },
  }),
  packageRoute({
    ...writing,
    method: 'POST',
    path: `${PACKAGE}/-/unlink`,
    id: 'unlinkPackage',
    summary: 'Unlinks a package from its repository',
    responses: { 204: null },
    also: [400],
    handle: async ({ package: row }, context) => {
      await unlinkPackage(context, row);
      return empty(204);
    },
  }),
  packageVersionRoute({
    ...reading,
    method: 'GET',
    path: VERSION,
    id: 'getPackage',
    summary: 'Gets a version of a package',
    responses: { 200: Package },
    handle: async ({ user, version }, context) => await presentVersion(context, user, version),
  }),
  packageVersionRoute({
    ...writing,
    method: 'DELETE',
    path: VERSION,
    id: 'deletePackageVersion',
    summary: 'Deletes a version of a package',
    responses: { 204: null },
    handle: async ({ version }, context) => {
      await deleteVersion(context, version);
      return empty(204);
    },
  }),
  packageVersionRoute({
    ...reading,
    method: 'GET',
    path: `${VERSION}/files`,
    id: 'listPackageFiles',
    summary: 'Lists the files of a version of a package',
    responses: { 200: array(ref(PackageFile)) },
    handle: async ({ version }, context) => {
      const files = await listFiles(context.db, [version.id]);
      return (await completeDigests(context, files)).map(presentFile);
    },
  }),
];
