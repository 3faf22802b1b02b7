import { posix } from 'node:path';
import { type RandomAccess, readZip } from '../archives/zip.ts';
import { invalid, PackageError } from '../errors.ts';

/** A module as it is in its archive. */
export interface GoModule {
  readonly name: string;
  readonly version: string;
  /** The text of `go.mod`; if it is missing, one with only the module's name. */
  readonly goMod: string;
}

/** Size limit of a `go.mod` in bytes. */
const MAX_GO_MOD = 1024 * 1024;

/**
 * Reads the module of an archive: all paths in it begin with `NAME@VERSION/` (https://go.dev/ref/mod#zip-files).
 * @throws PackageError 400
 */
export async function readModule(archive: RandomAccess): Promise<GoModule> {
  let found: { name: string; version: string } | undefined;
  let goMod: Buffer | undefined;
  await readZip(
    archive,
    async ({ path, size, read }) => {
      const folder = posix.dirname(posix.normalize(path));
      const at = folder.indexOf('@');
      if (at < 0) return undefined;
      const [version = '', ...below] = folder.slice(at + 1).split('/');
      found ??= { name: folder.slice(0, at), version };
      if (below.length > 0 || posix.basename(path) !== 'go.mod') return undefined;
      if (size > MAX_GO_MOD) throw invalid('go.mod file is too large');
      goMod = await read();
      return 'stop';
    },
    { maxEntryBytes: MAX_GO_MOD },
  );
  if (!found || !isModulePath(found.name) || !isVersion(found.version)) throw invalid('package has invalid structure');
  return { ...found, goMod: goMod?.toString('utf8') ?? `module ${found.name}` };
}

/**
 * A path or version as it is stored: the protocol writes a capital as `!` and the small letter, and names are found case-insensitively
 * (https://go.dev/ref/mod#module-proxy, "Case-encoding").
 * @throws PackageError 404
 */
export function decodeCase(text: string): string {
  const decoded = text.replace(/!([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (decoded.includes('!')) throw new PackageError('no-package');
  return decoded;
}

/** Whether a text can be the path of a module: https://go.dev/ref/mod#go-mod-file-ident */
export function isModulePath(name: string): boolean {
  return name.split('/').every((part) => /^[\w.~-]+$/.test(part) && part !== '.' && part !== '..');
}

/** Lists have a line for each, and URLs a segment. */
function isVersion(version: string): boolean {
  return /^[\w.+~-]+$/.test(version);
}
