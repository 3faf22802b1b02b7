import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { ImportError } from '../error.ts';
import { type Ini, IniError, parseIni } from './ini.ts';
import { readStorages, type StorageFolders } from './storages.ts';

/** Size limit of a configuration file in bytes. */
const MAX_SIZE = 4 * 2 ** 20;

/** Gitea's default secret (modules/setting/security.go). */
const DEFAULT_SECRET_KEY = '!#@FDEWREWR&*(';

/** The location of the database. */
export type SourceDatabase =
  | { readonly type: 'sqlite'; readonly file: string }
  | {
      readonly type: 'postgres';
      readonly host: string;
      readonly port: number;
      readonly name: string;
      readonly user: string;
      readonly password: string;
      readonly sslMode: string;
      readonly schema: string;
    };

/** The settings of a Gitea that an import needs: the locations of its data and the key of its secrets. */
export interface GiteaSettings {
  readonly database: SourceDatabase;
  /** The folder of repositories. */
  readonly repositories: string;
  readonly storages: StorageFolders;
  readonly secretKey: string;
  readonly rootUrl: string;
}

/**
 * Reads a Gitea's `app.ini`.
 * @param workPath the base of relative paths; if empty, the one that the file or its location determines
 * @throws ImportError
 */
export function readGiteaSettings(file: string, workPath = ''): GiteaSettings {
  const ini = readFile(file);
  const work = workPath || ini.get('', 'WORK_PATH') || ini.get('', 'APP_WORK_PATH') || workPathOf(file);
  const absolute = (path: string) => {
    if (isAbsolute(path)) return path;
    if (work === '') throw new ImportError(`${file} has the relative path ${path}: set --work-path to the folder that it is relative to`);
    return resolve(work, path);
  };
  const data = absolute(ini.get('server', 'APP_DATA_PATH') || 'data');
  return {
    database: readDatabase(ini, data, absolute),
    repositories: absolute(ini.get('repository', 'ROOT') || join(data, 'gitea-repositories')),
    storages: readStorages(ini, data, absolute),
    secretKey: readSecretKey(ini, absolute),
    rootUrl: ini.get('server', 'ROOT_URL'),
  };
}

function readFile(file: string): Ini {
  try {
    if (statSync(file).size > MAX_SIZE) throw new ImportError(`${file} is too large for a configuration`);
    return parseIni(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof ImportError) throw error;
    if (error instanceof IniError) throw new ImportError(`${file}, ${error.message}`);
    throw new ImportError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The folder above `custom/conf/app.ini`. */
function workPathOf(file: string): string {
  const folder = dirname(resolve(file));
  const custom = dirname(folder);
  return basename(folder) === 'conf' && basename(custom) === 'custom' ? dirname(custom) : '';
}

function readDatabase(ini: Ini, data: string, absolute: (path: string) => string): SourceDatabase {
  const type = ini.get('database', 'DB_TYPE');
  if (type === 'sqlite3') {
    const file = absolute(ini.get('database', 'PATH') || join(data, 'gitea.db'));
    if (!existsSync(file)) throw new ImportError(`there is no database at ${file}: check [database] PATH and --work-path`);
    return { type: 'sqlite', file };
  }
  if (type !== 'postgres') {
    throw new ImportError(
      `the database is of the type ${type || '(none)'}: SQLite and PostgreSQL can be imported; move it to one of them first`,
    );
  }
  const host = ini.get('database', 'HOST') || '127.0.0.1:5432';
  const [, name = host, port = '5432'] = /^(.*):(\d+)$/.exec(host) ?? [];
  return {
    type: 'postgres',
    // A path is the folder of a Unix socket.
    host: name.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port),
    name: ini.get('database', 'NAME') || 'gitea',
    user: ini.get('database', 'USER'),
    password: ini.get('database', 'PASSWD'),
    sslMode: ini.get('database', 'SSL_MODE') || 'disable',
    schema: ini.get('database', 'SCHEMA') || 'public',
  };
}

function readSecretKey(ini: Ini, absolute: (path: string) => string): string {
  const uri = ini.get('security', 'SECRET_KEY_URI');
  if (uri === '') return ini.get('security', 'SECRET_KEY') || DEFAULT_SECRET_KEY;
  if (!uri.startsWith('file:')) throw new ImportError('[security] SECRET_KEY_URI is not a file');
  const file = absolute(uri.replace(/^file:(\/\/)?/, ''));
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ImportError(`the secret key cannot be read: ${(error as Error).message}`);
  }
}
