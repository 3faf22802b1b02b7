import type { PackageError } from '../errors.ts';

/** Whether the registry itself refuses, before the format handles the request; these errors are plain text, as in Gitea. */
export function isOfRegistry({ problem }: PackageError): boolean {
  return problem === 'unauthorized' || problem === 'forbidden' || problem === 'missing';
}
