import type { PackageType } from '../../database/tables/package-types.ts';

/** The input of the instructions for a version. */
export interface Installed {
  readonly name: string;
  readonly version: string;
  readonly owner: string;
  /** The URL of the instance, without a slash at the end. */
  readonly root: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The files of the instructions, with their distribution and component in a repository of Linux packages. */
  readonly files: readonly { readonly name: string; readonly place: string }[];
}

/** How a version is installed. */
export interface Instructions {
  /** Lines of a file or commands that configure the registry; empty if the command names it. */
  readonly setUp: string;
  /** The command, or the lines of a file. */
  readonly use: string;
}

type Write = (of: Installed, registry: string) => Instructions;

/** How to install a version, with the URLs of this registry. */
export function instructionsFor(type: PackageType, of: Installed): Instructions {
  return WRITERS[type](of, `${of.root}/api/packages/${encodeURIComponent(of.owner)}/${type}`);
}

const direct = (use: string): Instructions => ({ setUp: '', use });

const WRITERS: Readonly<Record<PackageType, Write>> = {
  alpine: ({ name, version, files }, registry) => ({
    setUp: lines(
      ...places(files, ([branch, repository]) => `echo "${registry}/${branch}/${repository}" | sudo tee -a /etc/apk/repositories`),
      `(cd /etc/apk/keys && sudo curl -JO ${registry}/key)`,
    ),
    use: `sudo apk add ${name}=${version}`,
  }),
  arch: ({ name, files }, registry) => ({
    setUp: lines(
      '# /etc/pacman.conf',
      ...places(files, ([repository]) => `[${repository}]\nSigLevel = Required\nServer = ${registry}/$repo/$arch`),
      `# curl ${registry}/repository.key | sudo pacman-key --add -`,
    ),
    use: `sudo pacman -Sy ${name}`,
  }),
  cargo: ({ name, version, owner }, registry) => ({
    setUp: `# .cargo/config.toml\n[registries.${key(owner)}]\nindex = "sparse+${registry}/"`,
    use: `cargo add --registry ${key(owner)} ${name}@${version}`,
  }),
  chef: ({ name, version }, registry) => ({
    setUp: `# ~/.chef/config.rb\nknife[:supermarket_site] = '${registry}'`,
    use: `knife supermarket install ${name} ${version}`,
  }),
  composer: ({ name, version, owner }, registry) => ({
    setUp: `composer config repositories.${key(owner)} composer ${registry}`,
    use: `composer require ${name}:${version}`,
  }),
  conan: ({ name, version, owner }, registry) => ({
    setUp: `conan remote add ${key(owner)} ${registry}`,
    use: `conan install --remote=${key(owner)} --requires=${name}/${version}`,
  }),
  conda: ({ name, version }, registry) => {
    const slash = name.lastIndexOf('/');
    const channel = slash < 0 ? registry : `${registry}/${name.slice(0, slash)}`;
    return direct(`conda install -c ${channel} ${name.slice(slash + 1)}=${version}`);
  },
  container: ({ name, version, owner, root, metadata }) => {
    const host = new URL(root).host;
    const image = `${host}/${owner.toLowerCase()}/${name.toLowerCase()}`;
    const isDigest = /^sha\d+:/.test(version);
    if (metadata.type === 'helm') return direct(`helm pull oci://${image} --version ${version}`);
    return { setUp: `docker login ${host}`, use: `docker pull ${image}${isDigest ? '@' : ':'}${version}` };
  },
  cran: ({ name, owner }, registry) => ({
    setUp: `# ~/.Rprofile\noptions("repos" = c(getOption("repos"), c("${owner}" = "${registry}")))`,
    use: `install.packages("${name}")`,
  }),
  debian: ({ name, version, owner, files }, registry) => ({
    setUp: lines(
      `sudo curl ${registry}/repository.key -o /etc/apt/keyrings/${key(owner)}.asc`,
      ...places(
        files,
        ([distribution, component]) =>
          `echo "deb [signed-by=/etc/apt/keyrings/${key(owner)}.asc] ${registry} ${distribution} ${component}" | sudo tee -a /etc/apt/sources.list.d/${key(owner)}.list`,
      ),
      'sudo apt update',
    ),
    use: `sudo apt install ${name}=${version}`,
  }),
  generic: ({ name, version, files }, registry) =>
    direct(
      lines(
        ...files.map(
          (file) => `curl -OJ "${registry}/${encodeURIComponent(name)}/${encodeURIComponent(version)}/${encodeURIComponent(file.name)}"`,
        ),
      ),
    ),
  go: ({ name, version }, registry) => direct(`GOPROXY=${registry} go install ${name}@${version}`),
  helm: ({ name, version, owner }, registry) => ({
    setUp: `helm repo add ${key(owner)} ${registry}\nhelm repo update`,
    use: `helm install ${name} ${key(owner)}/${name} --version ${version}`,
  }),
  maven: ({ name, version, owner, metadata }, registry) => {
    const [group = name, artifact = ''] = [metadata.groupId, metadata.artifactId].map((part) =>
      typeof part === 'string' ? part : undefined,
    );
    return {
      setUp: `<!-- pom.xml -->\n<repositories>\n  <repository>\n    <id>${owner}</id>\n    <url>${registry}</url>\n  </repository>\n</repositories>`,
      use: `<dependency>\n  <groupId>${group}</groupId>\n  <artifactId>${artifact}</artifactId>\n  <version>${version}</version>\n</dependency>`,
    };
  },
  npm: ({ name, version }, registry) => {
    const scope = name.startsWith('@') ? `${name.split('/')[0]}:` : '';
    return { setUp: `# .npmrc\n${scope}registry=${registry}/`, use: `npm install ${name}@${version}` };
  },
  nuget: ({ name, version, owner }, registry) => ({
    setUp: `dotnet nuget add source --name ${owner} ${registry}/index.json`,
    use: `dotnet add package --source ${owner} --version ${version} ${name}`,
  }),
  pub: ({ name, version }, registry) => direct(`dart pub add ${name}:${version} --hosted-url=${registry}/`),
  pypi: ({ name, version }, registry) => direct(`pip install --index-url ${registry}/simple/ ${name}==${version}`),
  rpm: ({ name, version, files }, registry) => ({
    setUp: lines(
      ...places(
        files,
        ([group]) => `sudo curl ${registry}${group && `/${group}`}.repo -o /etc/yum.repos.d/${key(group || 'packages')}.repo`,
      ),
    ),
    use: `sudo dnf install ${name}-${version}`,
  }),
  rubygems: ({ name, version }, registry) => direct(`gem install ${name} --version "${version}" --source "${registry}"`),
  swift: ({ name, version }, registry) => ({
    setUp: `swift package-registry set ${registry}`,
    use: `// Package.swift\n.package(id: "${name}", from: "${version}")`,
  }),
  terraform: ({ name }, registry) => ({
    setUp: `terraform {
  backend "http" {
    address        = "${registry}/state/${name}"
    lock_address   = "${registry}/state/${name}/lock"
    unlock_address = "${registry}/state/${name}/lock"
    lock_method    = "POST"
    unlock_method  = "DELETE"
  }
}`,
    use: 'terraform init -migrate-state',
  }),
  vagrant: ({ name, version }, registry) => direct(`vagrant box add --box-version ${version} "${registry}/${name}"`),
};

/** A line for each place of a repository that the files are in: its parts are apart by `|`. */
function places(files: Installed['files'], line: (parts: [string, string]) => string): string[] {
  const known = [...new Set(files.map(({ place }) => place))];
  return [...new Set(known.map((place) => line([place.split('|')[0] ?? '', place.split('|')[1] ?? ''])))];
}

/** A name that tools take as that of a registry. */
function key(owner: string): string {
  return owner.toLowerCase().replace(/[^a-z0-9_-]/g, '-');
}

function lines(...all: readonly string[]): string {
  return all.join('\n');
}
