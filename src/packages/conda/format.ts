import type { PackageFormat } from '../protocol/format.ts';
import { read, refuse, upload } from './channel.ts';
import { buildIndex, markDeleted } from './repodata.ts';

/** Packages of conda: channels, by platform (https://docs.conda.io/projects/conda/en/stable/user-guide/concepts/channels.html). */
export const conda: PackageFormat = {
  type: 'conda',
  group: '/conda/:rest*',
  routes: [
    // Some clients look by HEAD which compressions there are.
    { method: 'GET', head: true, path: '/conda/:subdir/:file', access: 'read', handle: read },
    { method: 'GET', head: true, path: '/conda/:channel*/:subdir/:file', access: 'read', handle: read },
    { method: 'PUT', path: '/conda/:file', access: 'publish', handle: upload },
    { method: 'PUT', path: '/conda/:channel*/:file', access: 'publish', handle: upload },
  ],
  refuse,
  index: buildIndex,
  deleting: markDeleted,
};
