import { boolean, duration, limit, sizeLimit } from '../kinds.ts';
import { group, setting } from '../setting.ts';

const limitOf = (type: string) => setting(sizeLimit(), '-1', `Largest file of a ${type} package; -1 for no limit.`);

export const packages = group('Packages', 'The package registry. Limits do not hold for administrators.', {
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
    'How long the bytes of a file stay that no package has any more, uploads that nobody goes on with, and packages without a version.',
  ),
});
