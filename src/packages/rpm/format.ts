import type { FormatRoute, PackageFormat } from '../protocol/format.ts';
import { buildIndex, markDeleted } from './indexes.ts';
import { addErrata, download, remove, serveConfiguration, serveKey, serveMetadata, upload } from './repository.ts';

/** Packages of RPM, in groups with names of any depth, or without one (https://rpm-software-management.github.io/rpm/manual/). */
export const rpm: PackageFormat = {
  type: 'rpm',
  group: '/rpm/:rest*',
  routes: [
    { method: 'GET', head: true, path: '/rpm.repo', access: 'read', handle: serveConfiguration },
    { method: 'GET', head: true, path: '/rpm/repository.key', access: 'read', handle: serveKey },
    { method: 'GET', head: true, path: '/rpm/.repo', access: 'read', handle: serveConfiguration },
    { method: 'GET', head: true, path: '/rpm/:group*.repo', access: 'read', handle: serveConfiguration },
    ...routesOf('/rpm'),
    ...routesOf('/rpm/:group*'),
  ],
  index: buildIndex,
  deleting: markDeleted,
};

function routesOf(group: string): FormatRoute[] {
  const version = `${group}/package/:name/:version`;
  return [
    { method: 'GET', head: true, path: `${group}/repodata/:file`, access: 'read', handle: serveMetadata },
    { method: 'PUT', path: `${group}/upload`, access: 'publish', handle: upload },
    { method: 'POST', path: `${version}/errata`, access: 'write', handle: addErrata },
    { method: 'GET', head: true, path: `${version}/:architecture/:file`, access: 'read', handle: download },
    { method: 'GET', head: true, path: `${version}/:architecture`, access: 'read', handle: download },
    { method: 'DELETE', path: `${version}/:architecture`, access: 'write', handle: remove },
  ];
}
