import type { PackageError } from '../errors.ts';
import type { FormatRoute, PackageFormat } from '../protocol/format.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { downloadFile, listDigests, listDownloadUrls, listFileNames, listUploadUrls, uploadFile } from './files.ts';
import { json } from './json.ts';
import { listRevisions, removeListedPackages, removePackages, removeRecipe, searchPackages, showLatest } from './revisions.ts';
import { searchRecipes } from './search.ts';
import { authenticate, checkCredentials, ping, signInByConanToken } from './sign-in.ts';

const RECIPE = ':name/:version/:user/:channel';
const OLD = `/conan/v1/conans/${RECIPE}`;
const OLD_PACKAGE = `${OLD}/packages/:packageId`;
const OLD_FILES = `/conan/v1/files/${RECIPE}/:revision`;
const NEW = `/conan/v2/conans/${RECIPE}`;
const REVISION = `${NEW}/revisions/:revision`;
const PACKAGE = `${REVISION}/packages/:packageId`;
const PACKAGE_REVISION = `${PACKAGE}/revisions/:packageRevision`;

/** Recipes and packages of Conan, by both protocols of its clients (https://docs.conan.io/2/reference/conan_server.html). */
export const conan: PackageFormat = {
  type: 'conan',
  routes: [
    ...['v1', 'v2'].flatMap(routesOfBoth),
    read(OLD, listDigests),
    remove(OLD, (call) => removeRecipe(call, true)),
    read(`${OLD}/search`, (call) => searchPackages(call, true)),
    ...['digest', 'download_urls'].flatMap((name) => [
      read(`${OLD}/${name}`, listDownloadUrls),
      read(`${OLD_PACKAGE}/${name}`, listDownloadUrls),
    ]),
    ...[OLD, OLD_PACKAGE].map(
      (path): FormatRoute => ({ method: 'POST', path: `${path}/upload_urls`, access: 'publish', handle: listUploadUrls }),
    ),
    { method: 'POST', path: `${OLD}/packages/delete`, access: 'write', handle: removeListedPackages },
    read(OLD_PACKAGE, listDigests),
    ...filesAt(`${OLD_FILES}/recipe`),
    ...filesAt(`${OLD_FILES}/package/:packageId/:packageRevision`),
    remove(NEW, removeRecipe),
    read(`${NEW}/search`, searchPackages),
    read(`${NEW}/latest`, showLatest),
    read(`${NEW}/revisions`, listRevisions),
    remove(REVISION, removeRecipe),
    read(`${REVISION}/search`, searchPackages),
    read(`${REVISION}/files`, listFileNames),
    ...filesAt(`${REVISION}/files`),
    remove(`${REVISION}/packages`, removePackages),
    remove(PACKAGE, removePackages),
    read(`${PACKAGE}/latest`, showLatest),
    read(`${PACKAGE}/revisions`, listRevisions),
    remove(PACKAGE_REVISION, removePackages),
    read(`${PACKAGE_REVISION}/files`, listFileNames),
    ...filesAt(`${PACKAGE_REVISION}/files`),
  ],
  signIn: signInByConanToken,
  refuse,
};

function routesOfBoth(version: string): FormatRoute[] {
  const root = `/conan/${version}`;
  return [
    read(`${root}/ping`, ping),
    read(`${root}/users/authenticate`, authenticate),
    read(`${root}/users/check_credentials`, checkCredentials),
    read(`${root}/conans/search`, searchRecipes),
  ];
}

function filesAt(path: string): FormatRoute[] {
  return [read(`${path}/:file`, downloadFile), { method: 'PUT', path: `${path}/:file`, access: 'publish', handle: uploadFile }];
}

function read(path: string, handle: (call: Parameters<FormatRoute['handle']>[0]) => ReturnType<FormatRoute['handle']>): FormatRoute {
  return { method: 'GET', path, access: 'read', handle: (call) => handle(call) };
}

function remove(path: string, handle: (call: Parameters<FormatRoute['handle']>[0]) => ReturnType<FormatRoute['handle']>): FormatRoute {
  return { method: 'DELETE', path, access: 'write', handle: (call) => handle(call) };
}

function refuse(error: PackageError) {
  const { message, status, headers } = error;
  if (isOfRegistry(error)) return plainRefusal(error);
  return json({ message }, { status, headers: { ...headers } });
}
