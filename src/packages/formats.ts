import { generic } from './generic/format.ts';
import type { PackageFormat } from './protocol/format.ts';

/** The formats of packages, by their types. */
export const formats: readonly PackageFormat[] = [generic];
