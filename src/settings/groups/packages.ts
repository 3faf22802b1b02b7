import { boolean, choice, duration, limit, list, size, sizeLimit, text } from '../kinds.ts';
import { group, setting } from '../setting.ts';

const limitOf = (type: string) => setting(sizeLimit(), '-1', `Largest file of a ${type} package; -1 for no limit.`);

export const packages = group('Packages', 'The package registry. Limits do not apply to administrators.', {
  enabled: setting(boolean(), 'true', 'Serve packages.'),
  limitTotalOwnerCount: setting(limit(), '-1', 'Versions of packages that one owner may have; -1 for no limit.'),
  limitTotalOwnerSize: setting(sizeLimit(), '-1', 'Bytes of all packages of one owner; -1 for no limit.'),
  limitSizeAlpine: limitOf('Alpine'),
  limitSizeArch: limitOf('Arch'),
  limitSizeCargo: limitOf('Cargo'),
  limitSizeChef: limitOf('Chef'),
  limitSizeComposer: limitOf('Composer'),
  limitSizeConan: limitOf('Conan'),
  limitSizeConda: limitOf('Conda'),
  limitSizeContainer: limitOf('container'),
  limitSizeCran: limitOf('CRAN'),
  limitSizeDebian: limitOf('Debian'),
  limitSizeGeneric: limitOf('generic'),
  limitSizeGo: limitOf('Go'),
  limitSizeHelm: limitOf('Helm'),
  limitSizeMaven: limitOf('Maven'),
  limitSizeNpm: limitOf('npm'),
  limitSizeNuget: limitOf('NuGet'),
  limitSizePub: limitOf('Pub'),
  limitSizePypi: limitOf('PyPI'),
  limitSizeRpm: limitOf('RPM'),
  limitSizeRubygems: limitOf('RubyGems'),
  limitSizeSwift: limitOf('Swift'),
  limitSizeTerraform: limitOf('Terraform'),
  limitSizeVagrant: limitOf('Vagrant'),
  unlinkedExpiry: setting(
    duration({ max: '365d' }),
    '1d',
    'How long bytes of files without a package, abandoned uploads, and packages without a version stay.',
  ),
  upstreams: setting(
    choice('off', 'administrators', 'owners'),
    'off',
    'Serve packages of upstream registries: `off`, or who may manage upstreams: only site `administrators`, or also the `owners` of packages.',
  ),
  upstreamDeny: setting(
    list(text({ maxLength: 255 })),
    '',
    'Patterns of names that are never requested from an upstream, for all owners, such as `@acme/**` or `com.acme**`.',
  ),
  upstreamCacheSize: setting(
    size({ min: 2 ** 20 }),
    '50GiB',
    'Size of the cache of all upstreams; the least recently used content is deleted first.',
  ),
  upstreamMaxAge: setting(duration({ min: '1h', max: '3650d' }), '90d', 'How long unused content stays in the cache of upstreams.'),
  upstreamMaxStale: setting(
    duration({ max: '365d' }),
    '7d',
    'Maximum age of documents that are served while their upstream is unavailable.',
  ),
  upstreamTimeout: setting(duration({ min: '1s', max: '1d' }), '1h', 'How long fetching one file of an upstream may take.'),
});
