import type { PackageType } from '../../../../../database/tables/package-types.ts';
import { objectOf } from '../../../../../packages/protocol/values.ts';
import {
  flag,
  fullShape,
  list,
  map,
  mark,
  number,
  object,
  type Reader,
  shape,
  text,
  textMap,
  textOrNull,
  texts,
  textsMap,
  webUrl,
} from './shape.ts';

const LINKS = { project_url: webUrl, repository_url: webUrl } as const;
const DOCUMENTED = { ...LINKS, documentation_url: webUrl } as const;
const REQUIREMENTS = list(fullShape({ restriction: text, version: text }));
const GEMS = list((value) => ({ name: text(objectOf(value).name), requirements: REQUIREMENTS(objectOf(value).version) }));
const UPDATED = fullShape({ arch: text, name: text, release: text, src: text, version: text, filename: text });
const DATE = fullShape({ date: text });

/**
 * The metadata of versions by package type: Gitea's metadata (modules/packages/TYPE/metadata.go) under the names that the formats here
 * use. Values of unexpected types are left out, since the documents of the formats rely on the types.
 */
export const VERSION_METADATA: Readonly<Record<PackageType, Reader>> = {
  alpine: shape({ description: text, license: text, project_url: webUrl, maintainer: text }),
  arch: shape({ description: text, project_url: webUrl, licenses: texts }),
  cargo: shape({
    dependencies: list(
      fullShape({
        ...{ name: text, req: text, features: texts, optional: flag, default_features: flag },
        ...{ target: textOrNull, kind: text, registry: textOrNull, package: textOrNull },
      }),
    ),
    features: textsMap,
    authors: texts,
    description: text,
    documentation: ['documentation_url', webUrl],
    homepage: ['project_url', webUrl],
    readme: text,
    keywords: texts,
    categories: texts,
    license: text,
    repository: ['repository_url', webUrl],
    links: text,
    rustVersion: ['rust_version', text],
  }),
  chef: shape({ description: text, long_description: text, author: text, license: text, repository_url: webUrl, dependencies: textMap }),
  composer: shape({
    ...{ description: text, readme: text, keywords: texts, _comment: textOrTexts, license: textOrTexts, bin: texts, homepage: webUrl },
    authors: list(shape({ name: text, email: text, homepage: text })),
    ...{ autoload: object, 'autoload-dev': object, extra: object },
    ...{ require: textMap, 'require-dev': textMap, suggest: textMap, provide: textMap, replace: textMap, conflict: textMap },
  }),
  conan: shape({ author: text, license: text, project_url: text, repository_url: text, description: text, keywords: texts }),
  conda: shape({ description: text, summary: text, ...DOCUMENTED, license: text, license_family: text }),
  container: shape({
    ...{ type: text, is_tagged: flag, platform: text, description: text, authors: texts, license: text, ...DOCUMENTED },
    ...{ labels: textMap, layer_creation: texts },
    manifests: list(fullShape({ platform: text, digest: text, size: (value) => number(value) ?? 0 })),
  }),
  cran: shape({
    ...{ title: text, description: text, project_url: texts, license: text, authors: texts, depends: texts },
    ...{ imports: texts, suggests: texts, linking_to: texts, needs_compilation: flag },
  }),
  debian: shape({ maintainer: text, project_url: webUrl, description: text, dependencies: filledTexts }),
  generic: shape({}),
  go: shape({}),
  helm: shape({
    ...{ api_version: text, type: text, name: text, version: text, app_version: text, home: webUrl, sources: texts },
    ...{ description: text, keywords: texts, maintainers: list(shape({ name: text, email: text, url: text })), icon: text },
    ...{ condition: text, tags: text, deprecated: mark, annotations: textMap, kube_version: text },
    dependencies: list((value) => ({
      repository: '',
      ...(shape({
        ...{ name: text, version: text, repository: text, condition: text, tags: texts },
        ...{ enabled: mark, import_values: ['import_values', list((item) => item)], alias: text },
      })(value) as object),
    })),
  }),
  maven: shape({
    groupId: ['group_id', text],
    artifactId: ['artifact_id', text],
    ...{ name: text, description: text, url: ['project_url', webUrl], licenses: texts },
    dependencies: list((value) => {
      const { group_id, artifact_id, version } = fullShape({ group_id: text, artifact_id: text, version: text })(value) as Record<
        string,
        string
      >;
      return { groupId: group_id, artifactId: artifact_id, version };
    }),
  }),
  npm: shape({
    ...{ description: text, author: text, license: text, homepage: ['project_url', webUrl], keywords: texts },
    ...{ dependencies: textMap, bundleDependencies: texts, devDependencies: ['development_dependencies', textMap] },
    peerDependencies: ['peer_dependencies', textMap],
    peerDependenciesMeta: ['peer_dependencies_meta', object],
    optionalDependencies: ['optional_dependencies', textMap],
    ...{ bin: textMap, readme: text, repository: npmRepository, deprecated: text },
  }),
  nuget: shape({
    ...{
      authors: text,
      copyright: text,
      description: text,
      language: text,
      owners: text,
      readme: text,
      summary: text,
      tags: text,
      title: text,
    },
    developmentDependency: ['development_dependency', mark],
    iconUrl: ['icon_url', text],
    licenseUrl: ['license_url', text],
    minClientVersion: ['min_client_version', text],
    projectUrl: ['project_url', webUrl],
    releaseNotes: ['release_notes', text],
    repositoryUrl: ['repository_url', text],
    requireLicenseAcceptance: ['require_license_acceptance', mark],
    dependencies: map(list(fullShape({ id: text, version: text }))),
  }),
  // The readme is a property here.
  pub: (value) => ({
    ...(shape({ description: text, ...DOCUMENTED })(value) as object),
    ...(fullShape({ pubspec: object })(value) as object),
  }),
  pypi: (value) =>
    shape({
      ...{ author: text, summary: text, license: text, homepage: ['project_url', webUrl], requiresPython: ['requires_python', text] },
      description: [objectOf(value).long_description ? 'long_description' : 'description', text],
    })(value),
  rpm: shape({
    ...{ license: text, project_url: webUrl, summary: text, description: text },
    updates: list(
      fullShape({
        ...{ from: text, status: text, type: text, version: text, id: text, title: text, severity: text, description: text },
        ...{ issued: DATE, updated: DATE, references: list(fullShape({ href: text, id: text, title: text, type: text })) },
        pkg_list: list(fullShape({ short: text, packages: list(UPDATED) })),
      }),
    ),
  }),
  rubygems: shape({
    ...{ platform: gemPlatform, description: text, summary: text, authors: texts, licenses: texts, homepage: ['project_url', webUrl] },
    requiredRuby: ['required_ruby_version', REQUIREMENTS],
    requiredRubygems: ['required_rubygems_version', REQUIREMENTS],
    dependencies: ['runtime_dependencies', GEMS],
    developmentDependencies: ['development_dependencies', GEMS],
  }),
  swift: (value) => ({
    ...(shape({
      ...{ description: text, keywords: texts, repository_url: webUrl, license: text, license_url: webUrl },
      author: swiftAuthor,
    })(value) as object),
    ...(fullShape({ manifests: map(shape({ content: (content) => content, tools_version: text })) })(value) as object),
  }),
  terraform: shape({}),
  vagrant: shape({ author: text, description: text, ...LINKS }),
};

function textOrTexts(value: unknown): unknown {
  return typeof value === 'string' ? [value].filter(Boolean) : texts(value);
}

/** Gitea stores an empty dependency for packages without any. */
function filledTexts(value: unknown): unknown {
  return (texts(value) as string[]).filter((item) => item !== '');
}

/** Gitea stores an empty one for packages without any. */
function npmRepository(value: unknown): unknown {
  const repository = fullShape({ type: text, url: text })(value) as Record<string, string>;
  return repository.type || repository.url ? repository : undefined;
}

/** Gitea stores an empty one for releases without any. */
function swiftAuthor(value: unknown): unknown {
  const author = fullShape({ name: text, givenName: text, middleName: text, familyName: text })(value) as Record<string, string>;
  return author.name ? author : undefined;
}

/** Gems for all platforms have none here. */
function gemPlatform(value: unknown): unknown {
  return value === 'ruby' ? '' : text(value);
}
