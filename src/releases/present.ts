import type { Repository } from '../access/find-repository.ts';
import { escapePath } from '../code/escape-path.ts';
import { TimeSlice } from '../concurrency/time-slice.ts';
import type { Context } from '../context.ts';
import type { AttachmentRow } from '../database/tables/issues.ts';
import type { ReleaseRow } from '../database/tables/releases.ts';
import { only } from '../http/only.ts';
import { type Shape, wireTime } from '../http/schema.ts';
import { presentAttachment } from '../issues/attachments/present.ts';
import type { Attachment } from '../issues/attachments/schema.ts';
import { findPeople, presentPeople } from '../issues/people.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../repositories/urls.ts';
import { filesOfReleases } from './assets/files.ts';
import type { Release } from './schema.ts';

/** Releases of a repository on the wire, in their order, in as many queries as for one. Who published them is shown as to nobody. */
export async function presentReleases(
  context: Context,
  repository: Repository,
  releases: readonly ReleaseRow[],
): Promise<Shape<typeof Release>[]> {
  const publishers = releases.map((release) => release.publisher_id);
  const people = await findPeople(context.db, publishers, [context.actor, repository.owner]);
  const author = presentPeople(context, people, null);
  const files = await filesOfReleases(
    context,
    releases.map(({ id }) => id),
  );
  const apiUrl = repositoryApiUrl(context.settings, repository);
  const htmlUrl = repositoryHtmlUrl(context.settings, repository);
  const slice = new TimeSlice();
  const presented: Shape<typeof Release>[] = [];
  for (const release of releases) {
    // They may have thousands of files.
    if (slice.isOver) await slice.next();
    const { id, created_at: created } = release;
    const tag = escapePath(release.tag_name);
    presented.push({
      id,
      tag_name: release.tag_name,
      target_commitish: release.target,
      name: release.title,
      body: release.note,
      url: `${apiUrl}/releases/${id}`,
      html_url: `${htmlUrl}/releases/tag/${tag}`,
      tarball_url: `${htmlUrl}/archive/${tag}.tar.gz`,
      zipball_url: `${htmlUrl}/archive/${tag}.zip`,
      upload_url: `${apiUrl}/releases/${id}/assets`,
      draft: release.is_draft,
      prerelease: release.is_prerelease,
      created_at: wireTime(created),
      published_at: wireTime(created),
      author: author(release.publisher_id),
      assets: presentFiles(context, repository, release, files.get(id) ?? []),
    });
  }
  return presented;
}

/** A release on the wire. */
export async function presentRelease(context: Context, repository: Repository, release: ReleaseRow): Promise<Shape<typeof Release>> {
  return only(await presentReleases(context, repository, [release]));
}

/** The page of a release. */
export function releaseHtmlUrl({ settings }: Pick<Context, 'settings'>, repository: Repository, { tag_name }: ReleaseRow): string {
  return `${repositoryHtmlUrl(settings, repository)}/releases/tag/${escapePath(tag_name)}`;
}

/** The files of a release in the API: their URLs contain their names, if these are unique. */
export function presentFiles(
  context: Context,
  repository: Repository,
  { tag_name }: ReleaseRow,
  files: readonly AttachmentRow[],
): Shape<typeof Attachment>[] {
  const presented = files.map((file) => presentAttachment(context, file));
  if (new Set(files.map(({ name }) => name)).size < files.length) return presented;
  const folder = `${repositoryHtmlUrl(context.settings, repository)}/releases/download/${escapePart(tag_name)}`;
  return presented.map((file) => ({ ...file, browser_download_url: `${folder}/${escapePart(file.name)}` }));
}

function escapePart(part: string): string {
  return escapePath(part).replaceAll('/', '%2F');
}
