import type { PackageFormat } from '../protocol/format.ts';
import { buildIndex, markDeleted } from './indexes.ts';
import { publishBinary, publishSource } from './publish.ts';
import { download, servePackages } from './repository.ts';

const BINARIES = '/cran/bin/:platform/contrib/:version';

/** Packages of R: a repository as `install.packages` reads it (https://cran.r-project.org/doc/manuals/r-release/R-admin.html#Setting-up-a-package-repository). */
export const cran: PackageFormat = {
  type: 'cran',
  routes: [
    { method: 'PUT', path: '/cran/src', access: 'publish', handle: publishSource },
    { method: 'GET', path: '/cran/src/contrib/PACKAGES:format([^/]*)', access: 'read', handle: servePackages },
    { method: 'GET', path: '/cran/src/contrib/:file', access: 'read', handle: download },
    { method: 'GET', path: '/cran/src/contrib/Archive/:name/:file', access: 'read', handle: download },
    { method: 'PUT', path: '/cran/bin', access: 'publish', handle: publishBinary },
    { method: 'GET', path: `${BINARIES}/PACKAGES:format([^/]*)`, access: 'read', handle: servePackages },
    { method: 'GET', path: `${BINARIES}/:file`, access: 'read', handle: download },
  ],
  index: buildIndex,
  deleting: markDeleted,
};
