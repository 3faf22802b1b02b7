import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Commit } from '../../git/objects/commits.ts';
import { identityTime } from '../../git/objects/identity.ts';
import type { AnnotatedTag as GitAnnotatedTag, Tag as GitTag } from '../../git/refs/tags.ts';
import { only } from '../../http/only.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../repositories/urls.ts';
import { presentIdentityUtc, presentVerification } from '../commits/present.ts';
import { escapePath } from '../escape-path.ts';
import type { AnnotatedTag, Tag } from './schema.ts';

/** Tags on the wire, in their order. */
export function presentTags({ settings }: Context, repository: Repository, tags: readonly GitTag[]): Shape<typeof Tag>[] {
  const apiUrl = repositoryApiUrl(settings, repository);
  const archives = settings.repository.archivesEnabled ? `${repositoryHtmlUrl(settings, repository)}/archive/` : undefined;
  return tags.map((tag) => describe(tag, apiUrl, archives));
}

/** A tag on the wire. */
export function presentTag(context: Context, repository: Repository, tag: GitTag): Shape<typeof Tag> {
  return only(presentTags(context, repository, [tag]));
}

/** @param archives the URL of archives, if they are enabled */
function describe(tag: GitTag, apiUrl: string, archives: string | undefined): Shape<typeof Tag> {
  const { annotated, commit } = tag;
  const when = annotated?.tagger ?? commit?.committer;
  const archive = (ending: string) => (archives === undefined ? '' : archives + escapePath(`${tag.name}${ending}`).replaceAll('/', '%2F'));
  return {
    name: tag.name,
    message: (annotated?.message ?? commit?.message ?? '').trim(),
    id: tag.oid,
    commit: {
      url: `${apiUrl}/git/commits/${tag.oid}`,
      sha: annotated?.target ?? tag.oid,
      created: when ? identityTime(when) : wireTime(null),
    },
    zipball_url: archive('.zip'),
    tarball_url: archive('.tar.gz'),
  };
}

/**
 * The object of an annotated tag on the wire.
 * @param name the tag's name in the repository
 * @param commit the tag's commit, whose signature is shown if the tag has none of its own
 */
export async function presentAnnotatedTag(
  context: Context,
  repository: Repository,
  { name, tag, commit }: { name: string; tag: GitAnnotatedTag; commit: Commit },
): Promise<Shape<typeof AnnotatedTag>> {
  const apiUrl = repositoryApiUrl(context.settings, repository);
  return {
    tag: name,
    sha: tag.oid,
    url: `${apiUrl}/git/tags/${tag.oid}`,
    message: tag.message,
    tagger: presentIdentityUtc(tag.tagger),
    object: { type: 'commit', url: `${apiUrl}/git/commits/${commit.oid}`, sha: commit.oid },
    verification: await presentVerification(context, tag.signature ? { ...tag, author: tag.tagger, committer: tag.tagger } : commit),
  };
}
