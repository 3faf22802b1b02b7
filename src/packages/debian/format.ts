import type { PackageFormat } from '../protocol/format.ts';
import { buildIndex, markDeleted } from './indexes.ts';
import { download, remove, serveIndex, serveIndexByHash, serveKey, upload } from './repository.ts';

const DISTRIBUTION = '/debian/dists/:distribution';
const LIST = `${DISTRIBUTION}/:component/:architecture`;
const POOL = '/debian/pool/:distribution/:component';

/** Packages of Debian, as a repository of apt (https://wiki.debian.org/DebianRepository/Format). */
export const debian: PackageFormat = {
  type: 'debian',
  routes: [
    { method: 'GET', path: '/debian/repository.key', access: 'read', handle: serveKey },
    { method: 'GET', path: `${DISTRIBUTION}/:file`, access: 'read', handle: serveIndex },
    { method: 'GET', path: `${DISTRIBUTION}/by-hash/:algorithm/:hash`, access: 'read', handle: serveIndexByHash },
    { method: 'GET', path: `${LIST}/:file`, access: 'read', handle: serveIndex },
    { method: 'GET', path: `${LIST}/by-hash/:algorithm/:hash`, access: 'read', handle: serveIndexByHash },
    { method: 'GET', path: `${POOL}/:name([^/_]+)_:version([^/_]+)_:architecture([^/_]+).deb`, access: 'read', handle: download },
    { method: 'PUT', path: `${POOL}/upload`, access: 'publish', handle: upload },
    { method: 'DELETE', path: `${POOL}/:name/:version/:architecture`, access: 'write', handle: remove },
  ],
  index: buildIndex,
  deleting: markDeleted,
};
