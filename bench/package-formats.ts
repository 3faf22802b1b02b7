import type { Publication } from '../src/packages/registry/publish.ts';

/** A version to publish, without its owner and content: `file` is the name of its only file, with the properties of that. */
export interface BenchVersion extends Omit<Publication, 'owner' | 'type' | 'files' | 'existing'> {
  readonly file: string;
  readonly compositeKey?: string;
  readonly fileProperties?: Readonly<Record<string, string>>;
}

/** What is measured of a format. */
export interface BenchFormat {
  readonly version: (name: string, version: string) => BenchVersion;
  /** The index to read, below the format's URL: that of the package, or of all. */
  readonly index: (name: string) => string;
  /** Whether the index lists packages, or the versions of one alone. */
  readonly lists: 'packages' | 'versions';
  /** Further documents that list the same. */
  readonly others?: (name: string) => readonly string[];
}

const depends = (prefix = '') => Array.from({ length: 10 }, (_, index) => `${prefix}dependency-${index}`);
const described = { description: 'A package of some words', license: 'MIT' };

/** All formats whose indexes grow with what an owner publishes. */
export const BENCH_FORMATS: Readonly<Record<string, BenchFormat>> = {
  npm: {
    version: (name, version) => {
      const dependencies = Object.fromEntries(depends().map((one) => [one, '^1.0.0']));
      return { name, version, file: `${name}-${version}.tgz`, metadata: { ...described, dependencies }, indexes: [name] };
    },
    index: (name) => name,
    lists: 'versions',
  },
  pypi: {
    version: (name, version) => ({ name, version, file: `${name}-${version}.whl`, metadata: { requiresPython: '>=3' }, indexes: [name] }),
    index: (name) => `simple/${name}`,
    lists: 'versions',
  },
  cargo: {
    version: (name, version) => {
      const dependencies = depends().map((one) => ({ name: one, req: '^1', features: [], optional: false, kind: 'normal' }));
      const file = `${name}-${version}.crate`;
      return { name, version, file, metadata: { dependencies }, versionProperties: { 'cargo.yanked': 'false' }, indexes: [name] };
    },
    index: (name) => `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`,
    lists: 'versions',
  },
  composer: {
    version: (name, version) => {
      const metadata = { ...described, license: ['MIT'], require: Object.fromEntries(depends('acme/').map((one) => [one, '^1'])) };
      const properties = { 'composer.type': 'library' };
      return { name: `acme/${name}`, version, file: 'a.zip', metadata, versionProperties: properties, indexes: [`acme/${name}`] };
    },
    index: (name) => `p2/acme/${name}.json`,
    lists: 'versions',
  },
  nuget: {
    version: (name, version) => ({
      name,
      version,
      file: `${name}.nupkg`,
      metadata: { ...described, authors: 'Ann', dependencies: { 'net8.0': depends().map((id) => ({ id, version: '1.0.0' })) } },
      indexes: [name],
    }),
    index: (name) => `registration/${name}/index.json`,
    lists: 'versions',
  },
  maven: {
    version: (name, version) => ({
      name: `com.acme:${name}`,
      version,
      file: `${name}.pom`,
      metadata: described,
      indexes: [`com.acme:${name}`],
    }),
    index: (name) => `com/acme/${name}/maven-metadata.xml`,
    lists: 'versions',
  },
  go: {
    version: (name, version) => ({
      name: `acme.dev/${name}`,
      version: `v${version}`,
      file: 'a.zip',
      versionProperties: { 'go.mod': 'module a' },
      indexes: [`acme.dev/${name}`],
    }),
    index: (name) => `acme.dev/${name}/@v/list`,
    lists: 'versions',
  },
  pub: {
    version: (name, version) => ({
      name,
      version,
      file: 'a.tar.gz',
      metadata: { pubspec: { name, version, ...described } },
      indexes: [name],
    }),
    index: (name) => `api/packages/${name}`,
    lists: 'versions',
  },
  swift: {
    version: (name, version) => ({
      name: `acme.${name}`,
      version,
      file: 'a.zip',
      metadata: { manifests: { '': { content: 'x'.repeat(500) } } },
      indexes: [`acme.${name}`],
    }),
    index: (name) => `acme/${name}`,
    lists: 'versions',
  },
  vagrant: {
    version: (name, version) => ({
      name,
      version,
      file: 'libvirt.box',
      metadata: described,
      fileProperties: { 'vagrant.provider': 'libvirt' },
      indexes: [name],
    }),
    index: (name) => name,
    lists: 'versions',
  },
  rubygems: {
    version: (name, version) => {
      const dependencies = depends().map((one) => ({ name: one, requirements: [{ restriction: '>=', version: '1' }] }));
      return {
        name,
        version,
        file: `${name}-${version}.gem`,
        metadata: { summary: 'Short', dependencies },
        indexes: ['all', `info/${name}`],
      };
    },
    index: () => 'versions',
    lists: 'packages',
  },
  helm: {
    version: (name, version) => {
      const metadata = { api_version: 'v2', name, version, description: 'A chart of some words', keywords: ['one', 'two'] };
      return { name, version, file: `${name}-${version}.tgz`, metadata, indexes: ['charts'] };
    },
    index: () => 'index.yaml',
    lists: 'packages',
  },
  chef: {
    version: (name, version) => {
      const dependencies = Object.fromEntries(depends().map((one) => [one, '>= 1.0']));
      return { name, version, file: `${version}.tar.gz`, metadata: { ...described, dependencies }, indexes: ['universe'] };
    },
    index: () => 'api/v1/universe',
    lists: 'packages',
  },
  conda: {
    version: (name, version) => ({
      name,
      version,
      file: `${name}-${version}-0.conda`,
      compositeKey: 'linux-64',
      metadata: { license: 'MIT' },
      packageProperties: { 'conda.name': name, 'conda.channel': '' },
      fileProperties: {
        'conda.subdir': 'linux-64',
        'conda.metadata': JSON.stringify({ is_conda: true, dependencies: depends(), build: '0' }),
      },
      indexes: ['/linux-64'],
    }),
    index: () => 'linux-64/repodata.json',
    lists: 'packages',
  },
  rpm: {
    version: (name, version) => {
      const files = Array.from({ length: 20 }, (_, index) => ({ path: `/usr/share/${name}/file-${index}`, is_executable: false }));
      const require = depends().map((one) => ({ name: one, flags: 'GE', version: '1', epoch: '0' }));
      const file = { architecture: 'x86_64', epoch: '0', version, release: '1', files, require };
      const metadata = { summary: 'A package of some words', license: 'MIT' };
      return {
        name,
        version: `${version}-1`,
        file: `${name}.rpm`,
        compositeKey: '',
        metadata,
        fileProperties: rpmProperties(file),
        indexes: ['/'],
      };
    },
    index: () => 'repodata/repomd.xml',
    lists: 'packages',
  },
  debian: {
    version: (name, version) => ({
      name,
      version,
      file: `${name}_${version}_amd64.deb`,
      compositeKey: 'stable|main',
      fileProperties: {
        'debian.distribution': 'stable',
        'debian.component': 'main',
        'debian.architecture': 'amd64',
        'debian.control': `Package: ${name}\nVersion: ${version}\nArchitecture: amd64\nDepends: ${depends().join(', ')}\nDescription: Some words`,
      },
      indexes: ['stable'],
    }),
    index: () => 'dists/stable/main/binary-amd64/Packages.gz',
    lists: 'packages',
  },
  alpine: {
    version: (name, version) => ({
      name,
      version,
      file: `${name}-${version}.apk`,
      compositeKey: 'v3|main|x86_64',
      metadata: described,
      fileProperties: {
        'alpine.branch': 'v3',
        'alpine.repository': 'main',
        'alpine.architecture': 'x86_64',
        'alpine.metadata': JSON.stringify({ checksum: 'Q1', architecture: 'x86_64', dependencies: depends() }),
      },
      indexes: ['v3|main'],
    }),
    index: () => 'v3/main/x86_64/APKINDEX.tar.gz',
    lists: 'packages',
  },
  arch: {
    version: (name, version) => ({
      name,
      version: `${version}-1`,
      file: `${name}-${version}-1-x86_64.pkg.tar.zst`,
      compositeKey: 'core|x86_64',
      metadata: { description: 'A package of some words' },
      fileProperties: {
        'arch.repository': 'core',
        'arch.architecture': 'x86_64',
        'arch.metadata': JSON.stringify({ architecture: 'x86_64', depends: depends(), files: depends('usr/share/') }),
        'arch.signature': Buffer.alloc(512).toString('base64'),
      },
      indexes: ['/core'],
    }),
    index: () => 'core/x86_64/core.db',
    lists: 'packages',
  },
  cran: {
    version: (name, version) => {
      const file = `${name}_${version}.tar.gz`;
      return { name, version, file, metadata: { license: 'MIT', imports: depends() }, indexes: ['src'] };
    },
    index: () => 'src/contrib/PACKAGES.gz',
    lists: 'packages',
  },
};

function rpmProperties(file: { architecture: string }): Record<string, string> {
  return { 'rpm.group': '', 'rpm.architecture': file.architecture, 'rpm.metadata': JSON.stringify(file) };
}
