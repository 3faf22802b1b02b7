import { join } from 'node:path';
import { ImportError } from '../error.ts';
import type { Ini } from './ini.ts';

/** The folders of the files outside of repositories. */
export interface StorageFolders {
  readonly attachments: string;
  readonly avatars: string;
  readonly repoAvatars: string;
  readonly lfs: string;
  readonly packages: string;
  readonly actionsLog: string;
  readonly actionsArtifacts: string;
}

interface Kind {
  /** The default name of the folder. */
  readonly name: string;
  /** The storage's own section, and the key in it or elsewhere that names the folder. */
  readonly section: string;
  readonly paths: readonly (readonly [section: string, key: string])[];
}

const KINDS: Readonly<Record<keyof StorageFolders, Kind>> = {
  attachments: { name: 'attachments', section: 'attachment', paths: [['attachment', 'PATH']] },
  avatars: {
    name: 'avatars',
    section: 'avatar',
    paths: [
      ['avatar', 'PATH'],
      ['picture', 'AVATAR_UPLOAD_PATH'],
    ],
  },
  repoAvatars: {
    name: 'repo-avatars',
    section: 'repo-avatar',
    paths: [
      ['repo-avatar', 'PATH'],
      ['picture', 'REPOSITORY_AVATAR_UPLOAD_PATH'],
    ],
  },
  lfs: {
    name: 'lfs',
    section: 'lfs',
    paths: [
      ['lfs', 'PATH'],
      ['server', 'LFS_CONTENT_PATH'],
    ],
  },
  packages: { name: 'packages', section: 'packages', paths: [['packages', 'PATH']] },
  actionsLog: { name: 'actions_log', section: 'storage.actions_log', paths: [] },
  actionsArtifacts: { name: 'actions_artifacts', section: 'actions.artifacts', paths: [['actions.artifacts', 'PATH']] },
};

/**
 * The folders in which Gitea stores the files outside of repositories.
 * @param absolute makes a path absolute
 * @throws ImportError for a storage that is not a local folder
 */
export function readStorages(ini: Ini, dataPath: string, absolute: (path: string) => string): StorageFolders {
  const folder = (kind: Kind) => absolute(storageFolder(ini, kind, dataPath));
  return {
    attachments: folder(KINDS.attachments),
    avatars: folder(KINDS.avatars),
    repoAvatars: folder(KINDS.repoAvatars),
    lfs: folder(KINDS.lfs),
    packages: folder(KINDS.packages),
    actionsLog: folder(KINDS.actionsLog),
    actionsArtifacts: folder(KINDS.actionsArtifacts),
  };
}

function storageFolder(ini: Ini, { name, section, paths }: Kind, dataPath: string): string {
  const named =
    ini.get(section, 'STORAGE_TYPE') || ini.getOwn(`storage.${name}`, 'STORAGE_TYPE') || ini.get('storage', 'STORAGE_TYPE') || 'local';
  // A named storage has its type in its own section.
  const type = ini.getOwn(`storage.${named}`, 'STORAGE_TYPE') || named;
  if (type !== 'local') {
    throw new ImportError(
      `${name} are in a storage of the type ${type}, which is not supported: move them into a folder with "gitea migrate-storage" first`,
    );
  }
  for (const [from, key] of paths) if (ini.getOwn(from, key)) return ini.getOwn(from, key);
  const ofKind = ini.getOwn(`storage.${name}`, 'PATH');
  if (ofKind) return ofKind;
  const base = ini.getOwn(`storage.${named}`, 'PATH') || ini.getOwn('storage', 'PATH');
  return join(base || dataPath, name);
}
