import type { PackageFormat } from '../protocol/format.ts';
import { buildIndex, markDeleted } from './indexes.ts';
import { download, remove, serveIndex, serveKey, upload } from './repository.ts';

const REPOSITORY = '/alpine/:branch/:repository';
const ARCHITECTURE = `${REPOSITORY}/:architecture`;

/** Packages of Alpine Linux (https://wiki.alpinelinux.org/wiki/Apk_spec). */
export const alpine: PackageFormat = {
  type: 'alpine',
  routes: [
    { method: 'GET', path: '/alpine/key', access: 'read', handle: serveKey },
    { method: 'PUT', path: REPOSITORY, access: 'publish', handle: upload },
    { method: 'GET', head: true, path: `${ARCHITECTURE}/APKINDEX.tar.gz`, access: 'read', handle: serveIndex },
    { method: 'GET', head: true, path: `${ARCHITECTURE}/:file`, access: 'read', handle: download },
    { method: 'DELETE', path: `${ARCHITECTURE}/:file`, access: 'write', handle: remove },
  ],
  index: buildIndex,
  deleting: markDeleted,
};
