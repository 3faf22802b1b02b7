/** The types of packages, by their names in the API and in URLs. */
export const PACKAGE_TYPES = [
  'alpine',
  'arch',
  'cargo',
  'chef',
  'composer',
  'conan',
  'conda',
  'container',
  'cran',
  'debian',
  'generic',
  'go',
  'helm',
  'maven',
  'npm',
  'nuget',
  'pub',
  'pypi',
  'rpm',
  'rubygems',
  'swift',
  'terraform',
  'vagrant',
] as const;

export type PackageType = (typeof PACKAGE_TYPES)[number];
