import type { Ask } from './paths.ts';

/** The repositories of Linux distributions that the scenarios of test/conformance fill. */
const PLACES = {
  alpine: ['v3.20/community/x86_64', 'v3.20/community/noarch', 'edge/main/x86_64', 'edge/main/noarch'],
  arch: ['core/x86_64', 'extra/aarch64', 'extra/x86_64', 'team/testing/x86_64'],
  debian: ['bookworm', 'tokens'],
  rpm: ['fedora/40', 'fedora/41'],
};

/** What clients read of a registry as a whole. */
const OF_REGISTRY: Readonly<Record<string, readonly string[]>> = {
  alpine: ['key', ...PLACES.alpine.map((place) => `${place}/APKINDEX.tar.gz`)],
  arch: ['repository.key', ...PLACES.arch.map((place) => `${place}/${place.split('/').at(-2)}.db`)],
  cargo: ['config.json', 'api/v1/crates?q='],
  chef: ['api/v1/universe', 'api/v1/cookbooks', 'api/v1/search?q='],
  composer: ['packages.json', 'list.json', 'search.json?q='],
  conan: ['v1/conans/search?q=*', 'v2/conans/search?q=*'],
  conda: ['linux-64/repodata.json'],
  cran: ['src/contrib/PACKAGES', 'bin/windows/contrib/4.4/PACKAGES'],
  debian: ['repository.key', ...PLACES.debian.flatMap((at) => [`dists/${at}/Release`, `dists/${at}/main/binary-amd64/Packages`])],
  helm: ['index.yaml'],
  npm: ['-/v1/search?text='],
  nuget: ['index.json', 'query?q=', "Search()?searchTerm=''"],
  rpm: [
    'repository.key',
    ...PLACES.rpm.map((group) => `${group}.repo`),
    ...['', ...PLACES.rpm].flatMap((group) =>
      ['primary', 'filelists', 'other', 'updateinfo'].map((name) => `${group === '' ? '' : `${group}/`}repodata/${name}.xml.gz`),
    ),
  ],
  rubygems: ['specs.4.8.gz', 'latest_specs.4.8.gz', 'prerelease_specs.4.8.gz', 'versions'],
};

interface Version {
  readonly type: string;
  readonly name: string;
  readonly version: string;
}

/** What clients read of a package. */
const OF_PACKAGE: Readonly<Record<string, (found: Version) => readonly string[]>> = {
  cargo: ({ name }) => [indexPathOf(name.toLowerCase())],
  chef: ({ name, version }) => [`api/v1/cookbooks/${name}`, `api/v1/cookbooks/${name}/versions/${version}`],
  composer: ({ name }) => [`p2/${name}.json`, `p2/${name}~dev.json`],
  conan: ({ name, version }) => [`v2/conans/${name}/${version}/_/_/revisions`, `v2/conans/${name}/${version}/demo/stable/revisions`],
  container: ({ name, version }) => [`//v2/{owner}/${name}/tags/list`, `//v2/{owner}/${name}/manifests/${version}`],
  go: ({ name, version }) => [`${name}/@v/list`, `${name}/@latest`, `${name}/@v/${version}.info`, `${name}/@v/${version}.mod`],
  maven: ({ name }) => [`${name.replace(':', '/').replace(/\.(?=.*\/)/g, '/')}/maven-metadata.xml`],
  npm: ({ name }) => [name.replace('/', '%2F'), `-/package/${name.replace('/', '%2F')}/dist-tags`],
  nuget: ({ name, version }) => [
    ...[`registration/${name}/index.json`, `registration/${name}/${version}.json`, `package/${name}/index.json`],
    ...[`FindPackagesById()?id='${name}'`, `Packages(Id='${name}',Version='${version}')`],
  ],
  pub: ({ name, version }) => [`api/packages/${name}`, `api/packages/${name}/versions/${version}`],
  pypi: ({ name }) => [`simple/${name}`],
  rubygems: ({ name, version }) => [`info/${name}`, `quick/Marshal.4.8/${name}-${version}.gemspec.rz`],
  swift: ({ name, version }) => {
    const path = name.replace('.', '/');
    return [path, `${path}/${version}`, `${path}/${version}/Package.swift`];
  },
  terraform: ({ name, version }) => [`state/${name}`, `state/${name}/versions/${version}`],
  vagrant: ({ name }) => [name],
};

/** The GET requests that show the packages of an owner: those of the API, and what clients read. */
export async function* packagePaths(ask: Ask, owner: string): AsyncGenerator<string> {
  const seen = new Set<string>();
  for (let page = 1; ; page++) {
    const list: Version[] = (await ask(`/packages/${owner}?limit=50&page=${page}`)) ?? [];
    yield `/packages/${owner}?limit=50&page=${page}`;
    for (const found of list) {
      for (const path of pathsOf(owner, found)) {
        if (!seen.has(path)) yield path;
        seen.add(path);
      }
    }
    if (list.length < 50) return;
  }
}

function pathsOf(owner: string, found: Version): string[] {
  const { type, name, version } = found;
  const api = `/packages/${owner}/${type}/${encodeURIComponent(name)}`;
  const registry = (path: string) =>
    path.startsWith('//') ? path.replace('{owner}', owner.toLowerCase()) : `//api/packages/${owner}/${type}/${path}`;
  return [
    ...['', '/-/latest', `/${encodeURIComponent(version)}`, `/${encodeURIComponent(version)}/files`].map((rest) => `${api}${rest}`),
    ...[...(OF_REGISTRY[type] ?? []), ...(OF_PACKAGE[type]?.(found) ?? [])].map(registry),
  ];
}

/** Where the sparse index has a crate. */
function indexPathOf(name: string): string {
  if (name.length < 3) return `${name.length}/${name}`;
  return name.length === 3 ? `3/${name[0]}/${name}` : `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}
