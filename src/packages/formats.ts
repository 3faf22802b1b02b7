import type { PackageType } from '../database/tables/package-types.ts';
import { alpine } from './alpine/format.ts';
import { arch } from './arch/format.ts';
import { cargo } from './cargo/format.ts';
import { chef } from './chef/format.ts';
import { composer } from './composer/format.ts';
import { conan } from './conan/format.ts';
import { conda } from './conda/format.ts';
import { container } from './container/format.ts';
import { cran } from './cran/format.ts';
import { debian } from './debian/format.ts';
import { generic } from './generic/format.ts';
import { go } from './go/format.ts';
import { helm } from './helm/format.ts';
import { maven } from './maven/format.ts';
import { npm } from './npm/format.ts';
import { nuget } from './nuget/format.ts';
import type { PackageFormat } from './protocol/format.ts';
import { pub } from './pub/format.ts';
import { pypi } from './pypi/format.ts';
import { rpm } from './rpm/format.ts';
import { rubygems } from './rubygems/format.ts';
import { swift } from './swift/format.ts';
import { terraform } from './terraform/format.ts';
import { vagrant } from './vagrant/format.ts';

/** The formats of packages, by their types. */
export const formats: readonly PackageFormat[] = [
  alpine,
  arch,
  cargo,
  chef,
  composer,
  conan,
  conda,
  container,
  cran,
  debian,
  generic,
  go,
  helm,
  maven,
  npm,
  nuget,
  pub,
  pypi,
  rpm,
  rubygems,
  swift,
  terraform,
  vagrant,
];

/** The same by type. */
export const formatsByType: ReadonlyMap<PackageType, PackageFormat> = new Map(formats.map((format) => [format.type, format]));
