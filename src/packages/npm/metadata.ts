import { objectOf, textMapOf, textOf, textsOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';

/** The stored metadata of a version, of the manifest that the client sent. */
export interface NpmMetadata {
  readonly description?: string;
  readonly author?: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly keywords?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly readme?: string;
  readonly repository?: { readonly type: string; readonly url: string };
  /** What clients decide by whether to install it, and run its scripts: they look for none in the archive if the document names none. */
  readonly engines?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly hasInstallScript?: true;
  /** One or several, each as its URL or with its type. */
  readonly funding?: unknown;
  /** Why the version should not be used any more. */
  readonly deprecated?: string;
}

/** What is kept of the manifest of a version. */
export function readManifest(manifest: Readonly<Record<string, unknown>>): NpmMetadata {
  const repository = objectOf(manifest.repository);
  return withoutEmpty({
    description: textOf(manifest.description),
    author: textOf(manifest.author) || textOf(objectOf(manifest.author).name),
    license: textOf(manifest.license) || textOf(objectOf(manifest.license).type),
    homepage: webUrlOf(manifest.homepage),
    keywords: textsOf(manifest.keywords),
    dependencies: textMapOf(manifest.dependencies),
    bundleDependencies: textsOf(manifest.bundleDependencies),
    devDependencies: textMapOf(manifest.devDependencies),
    peerDependencies: textMapOf(manifest.peerDependencies),
    peerDependenciesMeta: objectOf(manifest.peerDependenciesMeta),
    optionalDependencies: textMapOf(manifest.optionalDependencies),
    bin: textMapOf(manifest.bin),
    readme: textOf(manifest.readme),
    ...(manifest.repository !== undefined && { repository: { type: textOf(repository.type), url: textOf(repository.url) } }),
    engines: textMapOf(manifest.engines),
    os: textsOf(manifest.os),
    cpu: textsOf(manifest.cpu),
    libc: textsOf(manifest.libc),
    hasInstallScript: runsOnInstall(manifest) ? (true as const) : undefined,
    funding: fundingOf(manifest.funding),
    deprecated: textOf(manifest.deprecated),
  });
}

/** Scripts that run when a package is installed; npm sends the one for native code (`binding.gyp`) too. */
function runsOnInstall({ hasInstallScript, scripts }: Readonly<Record<string, unknown>>): boolean {
  const { preinstall, install, postinstall } = objectOf(scripts);
  return hasInstallScript === true || [preinstall, install, postinstall].some((script) => textOf(script) !== '');
}

function fundingOf(given: unknown): NpmMetadata['funding'] {
  if (Array.isArray(given)) return given.flatMap((one) => fundingOf(one) ?? []);
  const url = webUrlOf(given) || webUrlOf(objectOf(given).url);
  if (url === '' || typeof given === 'string') return url || undefined;
  return withoutEmpty({ type: textOf(objectOf(given).type), url });
}

/** Whether a package can have this name, with its scope. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && /^(?:@[a-z0-9-][a-z0-9-._]*\/)?[a-z0-9-][a-z0-9-._]*$/.test(name);
}
