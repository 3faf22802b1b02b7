import type { PackageError } from '../errors.ts';

/** Whether the registry itself refuses, before the format is asked; clients of Gitea know these refusals as plain text. */
export function isOfRegistry({ problem }: PackageError): boolean {
  return problem === 'unauthorized' || problem === 'forbidden' || problem === 'missing';
}
