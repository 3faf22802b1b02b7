import type { Repository } from '../access/find-repository.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { grants, storedScope } from '../access/scopes.ts';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { ReleaseRow } from '../database/tables/releases.ts';
import { notFound } from '../http/errors.ts';
import { pathId } from '../http/path-id.ts';

/** The arguments of a release route. */
export interface ReleasesInput {
  repository: Repository;
  access: RepositoryAccess;
}

const byId = prepared((db, id: number) => db.selectFrom('releases').selectAll().where('id', '=', id));
const ofTag = prepared((db, repositoryId: number, lowerName: string) =>
  db.selectFrom('releases').selectAll().where('repository_id', '=', repositoryId).where('lower_tag_name', '=', lowerName),
);
const latest = prepared((db, repositoryId: number) =>
  db
    .selectFrom('releases')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('is_draft', '=', false)
    .where('is_prerelease', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
);

/** The release of a tag, whatever the case of its name, drafts among them. */
export async function findReleaseOfTag(db: Db, repositoryId: number, tag: string): Promise<ReleaseRow | undefined> {
  return (await ofTag(db, repositoryId, tag.toLowerCase()))[0];
}

/** The release with this id, of any repository, drafts among them. */
export async function findReleaseById(db: Db, id: number): Promise<ReleaseRow | undefined> {
  return (await byId(db, id))[0];
}

/** The newest release that is neither a draft nor a prerelease. */
export async function findLatestRelease(db: Db, repositoryId: number): Promise<ReleaseRow | undefined> {
  return (await latest(db, repositoryId))[0];
}

/** Whether the caller sees drafts: users who may write releases, with a token that may write as well. */
export function seesDrafts(context: Context, access: RepositoryAccess): boolean {
  const { token } = context.signIn;
  return mayWrite(context, access) && (token === null || grants(storedScope(token.scope), 'write', ['repository']));
}

function mayWrite({ actor }: Context, access: RepositoryAccess): boolean {
  return actor !== null && access.canWrite('releases');
}

/**
 * The release that a path names by its id, if it is of the repository in the path and the caller may see it.
 * @throws HttpError 404
 */
export async function releaseOf(context: Context, { repository, access }: ReleasesInput, id: string): Promise<ReleaseRow> {
  const release = await findReleaseById(context.db, pathId(id));
  if (!release || release.repository_id !== repository.id) throw notFound();
  if (release.is_draft && !seesDrafts(context, access)) throw notFound();
  return release;
}

/**
 * The release of the tag that a path names, if the caller may see it. As in Gitea, those who may write releases get drafts here with a
 * token that only reads, too.
 * @throws HttpError 404
 */
export async function releaseOfTag(context: Context, { repository, access }: ReleasesInput, tag: string): Promise<ReleaseRow> {
  const release = await findReleaseOfTag(context.db, repository.id, tag);
  if (!release || (release.is_draft && !mayWrite(context, access))) throw notFound();
  return release;
}
