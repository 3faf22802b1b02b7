import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { archive } from './package/archive.ts';
import { type Entry, textEntry } from './package/entry.ts';
import { licenseList, type Module, type Platform, readModules } from './package/modules.ts';
import { readProgram } from './package/program.ts';

/*
 * `npm run package -- [--out FOLDER] [--kind npm|platform]… [--platform OS-CPU]…` makes of the last commit:
 *   copse-VERSION.tgz               for `npm install -g`, which adds the programs of the platform
 *   copse-VERSION-OS-CPU.tar.gz     everything that runs there, Node as well: it is unpacked and started
 *   SHA256SUMS
 * The same commit gives the same bytes.
 */

const ROOT = join(import.meta.dirname, '..');
const LOCK = join(ROOT, 'package-lock.json');
const HERE = `${process.platform}-${process.arch}`;

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist' },
    kind: { type: 'string', multiple: true, default: ['npm', 'platform'] },
    platform: { type: 'string', multiple: true, default: [HERE] },
  },
});
for (const kind of flags.kind) if (kind !== 'npm' && kind !== 'platform') throw new Error(`--kind is npm or platform, not ${kind}`);

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const program = await readProgram(ROOT);
const made = new Map<string, Buffer>();
if (flags.kind.includes('npm')) made.set(`copse-${manifest.version}.tgz`, await npmPackage());
if (flags.kind.includes('platform'))
  for (const platform of flags.platform) {
    const name = `copse-${manifest.version}-${platform}`;
    made.set(`${name}.tar.gz`, await platformPackage(name, platform));
  }
mkdirSync(flags.out, { recursive: true });
const sums = [...made].map(([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
made.set('SHA256SUMS', Buffer.from(sums.join('')));
for (const [name, content] of made) {
  writeFileSync(join(flags.out, name), content);
  console.log(`${join(flags.out, name)}  ${(content.length / 1024 / 1024).toFixed(1)} MiB`);
}

/**
 * The package for npm. It brings its packages along, so that they are those of package-lock.json. npm adds those with programs of the platform,
 * whose versions are fixed; it does not when packages that need them come along.
 */
async function npmPackage(): Promise<Buffer> {
  const modules = readModules(LOCK, ROOT, toPlatform(HERE)).filter(({ isNative }) => !isNative);
  const bundled = modules.filter(({ path, name }) => path === `node_modules/${name}`).map(({ name }) => name);
  return archive('package', entriesOf(modules, { bundleDependencies: bundled }), program.time);
}

async function platformPackage(name: string, platform: string): Promise<Buffer> {
  const installed = platform === HERE ? ROOT : install(toPlatform(platform));
  try {
    const modules = readModules(LOCK, installed, toPlatform(platform));
    const node = modules.find(({ entries }) => entries.some(({ path }) => /^node_modules\/node-[\w-]+\/bin\/node$/.test(path)));
    if (!node) throw new Error(`there is no Node for ${platform}`);
    const link: Entry = { path: 'node_modules/.bin/node', content: Buffer.alloc(0), isExecutable: true, link: `../${node.name}/bin/node` };
    return await archive(name, [...entriesOf(modules, {}), link], program.time);
  } finally {
    if (installed !== ROOT) rmSync(installed, { recursive: true });
  }
}

function entriesOf(modules: readonly Module[], more: object): Entry[] {
  return [
    ...program.entries,
    ...modules.flatMap(({ entries }) => entries),
    textEntry('THIRD-PARTY-LICENSES', licenseList(modules)),
    textEntry('package.json', `${JSON.stringify({ ...deliveredManifest(), ...more }, null, 2)}\n`),
  ];
}

/** package.json without what concerns the work on Copse alone. */
function deliveredManifest(): object {
  const { scripts: _, devDependencies: __, overrides: ___, allowScripts: ____, private: _____, ...delivered } = manifest;
  return { ...delivered, scripts: { start: 'bin/copse serve', copse: 'bin/copse' } };
}

function toPlatform(name: string): Platform {
  const [os = '', cpu = ''] = name.split('-');
  return { os, cpu };
}

/** Installs the packages of another platform; returns the folder. */
function install({ os, cpu }: Platform): string {
  const folder = mkdtempSync(join(tmpdir(), 'copse-package-'));
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(ROOT, file), join(folder, file));
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc'];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}
