import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './entry.ts';

/** A package of package-lock.json, as far as it matters here. */
interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly license?: string;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What programs are built for, such as `linux` and `x64`; Linux with glibc. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
}

/** An installed package. */
export interface Module {
  /** Its folder, such as `node_modules/pino`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** It has a program of one platform in it, or needs a package with one. */
  readonly isNative: boolean;
  readonly entries: readonly Entry[];
}

/** Files that are not needed to run: types, sources and their maps, texts for readers, tests, headers. */
const LEFT_OUT =
  /\.(?:[cm]?ts|tsx|map|md|markdown|flow|gypi?)$|\.test\.[cm]?js$|^(?:include|share|\.github|tests?|bench(?:marks?)?|examples?)\//;
/** Programs for another runtime (Bare). */
const OTHER_RUNTIME = /^prebuilds\//;
const LICENSE_FILE = /^(?:licen[cs]e|notice|copying|copyright|authors)[^/]*$/i;

/**
 * The packages that the server needs on a platform, as package-lock.json has them.
 * @param installed the folder with the `node_modules` of that platform
 * @throws Error when one is missing there, or has another version
 */
export function readModules(lockFile: string, installed: string, platform: Platform): Module[] {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const isNative = ({ os, optionalDependencies }: Locked) =>
    [os, ...Object.keys(optionalDependencies ?? {}).map((name) => packages[`node_modules/${name}`]?.os)].some((one) => one !== undefined);
  return (
    Object.entries(packages)
      .filter(([path, locked]) => path !== '' && !locked.dev && isFor(locked, platform))
      // npm leaves out what only packages of other platforms use.
      .filter(([path, { optional, os }]) => !optional || os !== undefined || existsSync(join(installed, path)))
      .map(([path, locked]) => readModule(installed, path, locked, isNative(locked)))
  );
}

function isFor({ os, cpu, libc }: Locked, platform: Platform): boolean {
  const allows = (list: string | readonly string[] | undefined, value: string) => list === undefined || [list].flat().includes(value);
  return allows(os, platform.os) && allows(cpu, platform.cpu) && (platform.os !== 'linux' || allows(libc, 'glibc'));
}

function readModule(installed: string, path: string, locked: Locked, isNative: boolean): Module {
  const folder = join(installed, path);
  if (!existsSync(join(folder, 'package.json'))) throw new Error(`${folder} is not installed; run npm ci`);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (manifest.version !== locked.version) throw new Error(`${folder} has version ${manifest.version}, not ${locked.version}; run npm ci`);
  const files = globSync('**', { cwd: folder, exclude: (name) => name === 'node_modules' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
  return {
    path,
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: locked.version,
    license: locked.license ?? manifest.licenses?.[0]?.type ?? 'see its files',
    isNative,
    entries: files
      .filter((file) => LICENSE_FILE.test(file) || !(LEFT_OUT.test(file) || OTHER_RUNTIME.test(file)))
      .map((file) => ({
        path: `${path}/${file}`,
        content: readFileSync(join(folder, file)),
        isExecutable: (statSync(join(folder, file)).mode & 0o100) !== 0,
      })),
  };
}

/** What is in a package, by whom it may be used how, and where the text is that says so. */
export function licenseList(modules: readonly Module[]): string {
  const rows = modules.map(({ path, name, version, license, entries }) => {
    const texts = entries.map((entry) => entry.path).filter((file) => LICENSE_FILE.test(file.slice(path.length + 1)));
    return `${name} ${version}\n  ${license}${texts.map((file) => `\n  ${file}`).join('')}\n`;
  });
  return `The packages in node_modules, with their licenses and the files that hold the texts.\n\n${rows.join('\n')}`;
}
