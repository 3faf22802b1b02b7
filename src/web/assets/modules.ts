import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Asset, assetOf } from './assets.ts';

/** The packages that scripts import by name; their dependencies are included. */
const PACKAGES = [
  '@codemirror/commands',
  '@codemirror/language',
  '@codemirror/language-data',
  '@codemirror/search',
  '@codemirror/state',
  '@codemirror/view',
  '@lezer/highlight',
] as const;

/** A package whose modules are imported one by one, from a folder of it. */
const MANY = { name: '@codemirror/legacy-modes', folder: 'mode' } as const;

interface Installed {
  readonly folder: string;
  readonly version: string;
  /** Its main module, relative to its folder; undefined if it has none. */
  readonly main: string | undefined;
  readonly needs: readonly string[];
}

interface Modules {
  readonly hash: string;
  readonly packages: ReadonlyMap<string, Installed>;
  readonly assets: Map<string, Promise<Asset | undefined>>;
}

let loaded: Promise<Modules> | undefined;

/** The path of each name that scripts import, for the import map of a page. Paths begin at the root. */
export async function moduleUrls(): Promise<Record<string, string>> {
  const { hash, packages } = await load();
  const at = (rest: string) => `assets/${hash}/modules/${rest}`;
  const mains = [...packages].flatMap(([name, { main }]) => (main === undefined ? [] : [[name, at(`${name}/${main}`)] as const]));
  return Object.fromEntries([...mains, [`${MANY.name}/${MANY.folder}/`, at(`${MANY.name}/${MANY.folder}/`)]]);
}

/** A module of a package that pages use; undefined if it is missing, or if the hash is that of other versions. */
export async function findModule(hash: string, path: string): Promise<Asset | undefined> {
  const modules = await load();
  if (hash !== modules.hash || !/^[@\w][\w./@-]*$/.test(path) || path.split('/').includes('..')) return undefined;
  const known = modules.assets.get(path) ?? read(modules, path);
  modules.assets.set(path, known);
  const asset = await known;
  // Caching unknown names would fill the memory.
  if (!asset) modules.assets.delete(path);
  return asset;
}

async function read({ packages }: Modules, path: string): Promise<Asset | undefined> {
  const name = [...packages.keys()].find((name) => path.startsWith(`${name}/`));
  const found = name === undefined ? undefined : packages.get(name);
  if (name === undefined || !found) return undefined;
  const rest = path.slice(name.length + 1);
  // Modules of a folder are imported by their name without an ending.
  const isOneOfMany = name === MANY.name && rest.startsWith(`${MANY.folder}/`);
  if (rest !== found.main && !isOneOfMany) return undefined;
  try {
    return assetOf(path, await readFile(join(found.folder, isOneOfMany && !rest.endsWith('.js') ? `${rest}.js` : rest)), '.js');
  } catch {
    return undefined;
  }
}

function load(): Promise<Modules> {
  loaded ??= findPackages();
  return loaded;
}

async function findPackages(): Promise<Modules> {
  const packages = new Map<string, Installed>();
  const waiting: string[] = [...PACKAGES];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (packages.has(name)) continue;
    const installed = await findPackage(name);
    packages.set(name, installed);
    waiting.push(...installed.needs);
  }
  const hash = createHash('sha256');
  for (const [name, { version }] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${name}@${version}\n`);
  return { hash: hash.digest('hex').slice(0, 16), packages, assets: new Map() };
}

async function findPackage(name: string): Promise<Installed> {
  const isMany = name === MANY.name;
  const file = fileURLToPath(import.meta.resolve(isMany ? `${name}/package.json` : name));
  const end = file.indexOf(join('node_modules', name)) + join('node_modules', name).length;
  const folder = isMany ? dirname(file) : file.slice(0, end);
  const { version, dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    dependencies?: Record<string, string>;
  };
  return { folder, version, main: isMany ? undefined : relative(folder, file).split(sep).join('/'), needs: Object.keys(dependencies) };
}
