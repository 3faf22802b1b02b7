import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { type ArchiveFormat, parseArchiveName } from '../../git/archive.ts';
import { resolveObject } from '../../git/refs/revisions.ts';
import { peelToCommit } from '../../git/refs/tags.ts';
import { badRequest, notFound, notFoundBecause } from '../../http/errors.ts';
import { cleanPath } from '../contents/contents.ts';

/** A requested archive. */
export interface ArchiveRequest {
  readonly format: ArchiveFormat;
  /** The branch, tag or commit as requested. */
  readonly name: string;
  /** The id of the commit, or of the named tag. */
  readonly oid: string;
  readonly commit: string;
  /** Only these files and folders; all if empty. */
  readonly paths: readonly string[];
}

/** Maximum number of files and folders that one archive may select. */
const MAX_PATHS = 100;

/**
 * Parses `main.zip` and so on.
 * @throws HttpError 400 for an unknown format, or invalid paths; 404 for an unknown revision
 */
export async function readArchiveRequest(
  context: Context,
  repository: Repository,
  fileName: string,
  givenPaths: readonly string[],
): Promise<ArchiveRequest> {
  if (!context.settings.repository.archivesEnabled) throw notFound();
  const parsed = parseArchiveName(fileName);
  if (!parsed) throw badRequest(`unknown format: ${fileName}`);
  const { revision: name, format } = parsed;
  if (format === 'bundle' && givenPaths.length > 0) throw badRequest('cannot specify paths when requesting a bundle');
  if (givenPaths.length > MAX_PATHS) throw badRequest(`more than ${MAX_PATHS} paths`);
  const paths = givenPaths.map(cleanPath).filter((path) => path !== undefined);
  if (paths.length < givenPaths.length) throw badRequest("path doesn't exist or is invalid");
  const located = context.git.locate(repository);
  const oid = await resolveObject(located, context.git.pool, name);
  const commit = oid === undefined ? undefined : await peelToCommit(located, context.git.pool, oid);
  if (oid === undefined || commit === undefined) throw notFoundBecause(`unrecognized repository reference: ${name}`);
  return { format, name, oid, commit, paths: paths.includes('') ? [] : paths };
}
