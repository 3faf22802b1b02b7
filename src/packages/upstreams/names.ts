import type { PackageType } from '../../database/tables/package-types.ts';

/** The formats whose packages can come from an upstream. */
export const UPSTREAM_TYPES = ['npm', 'pypi', 'cargo', 'go', 'maven', 'container'] as const satisfies readonly PackageType[];

/** Used instead of a name for documents about the whole upstream; no package has it. */
export const REGISTRY_ITSELF = '';

export type UpstreamType = (typeof UPSTREAM_TYPES)[number];

/**
 * A key that is the same for all spellings that a client may treat as one package: PyPI does not distinguish `_`, `-` and `.`
 * (https://packaging.python.org/en/latest/specifications/name-normalization/), Cargo `_` and `-`, and no registry distinguishes case.
 * Patterns are written like names, so they are converted too.
 */
export function nameKey(type: PackageType, name: string): string {
  const lower = name.toLowerCase();
  if (type === 'pypi') return lower.replace(/[-_.]+/g, '-');
  return type === 'cargo' ? lower.replaceAll('_', '-') : lower;
}

/**
 * The common part of names of one publisher: the scope of npm, the group of Maven, the first part of an image's path, the first two of a
 * module of Go. Empty for names that stand alone.
 * @param key of {@link nameKey}
 */
export function namespaceOf(type: PackageType, key: string): string {
  if (type === 'npm') return key.startsWith('@') && key.includes('/') ? beforeFirst(key, '/') : '';
  if (type === 'maven') return key.includes(':') ? beforeFirst(key, ':') : '';
  if (type === 'container') return key.includes('/') ? beforeFirst(key, '/') : '';
  if (type !== 'go') return '';
  const parts = key.split('/');
  return parts.slice(0, Math.min(2, parts.length - 1)).join('/');
}

function beforeFirst(text: string, separator: string): string {
  return text.slice(0, text.indexOf(separator));
}
