import type { PackageFormat } from '../protocol/format.ts';
import { buildIndex, markDeleted } from './indexes.ts';
import { read, remove, serveKey, upload } from './repository.ts';

/** Packages of Arch Linux, in repositories with names of any depth, or without one (https://wiki.archlinux.org/title/Pacman). */
export const arch: PackageFormat = {
  type: 'arch',
  group: '/arch/:rest*',
  routes: [
    { method: 'GET', head: true, path: '/arch/repository.key', access: 'read', handle: serveKey },
    { method: 'PUT', path: '/arch', access: 'publish', handle: upload },
    { method: 'PUT', path: '/arch/:repository*', access: 'publish', handle: upload },
    { method: 'GET', head: true, path: '/arch/:architecture/:file', access: 'read', handle: read },
    { method: 'GET', head: true, path: '/arch/:repository*/:architecture/:file', access: 'read', handle: read },
    { method: 'DELETE', path: '/arch/:name/:version/:architecture', access: 'write', handle: remove },
    { method: 'DELETE', path: '/arch/:repository*/:name/:version/:architecture', access: 'write', handle: remove },
  ],
  index: buildIndex,
  deleting: markDeleted,
};
