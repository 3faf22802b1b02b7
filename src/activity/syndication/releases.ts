import type { Repository } from '../../access/find-repository.ts';
import { escapePath } from '../../code/escape-path.ts';
import { listTags } from '../../code/tags/tags.ts';
import type { Context } from '../../context.ts';
import type { ReleaseRow } from '../../database/tables/releases.ts';
import type { Tag } from '../../git/refs/tags.ts';
import { findPeople, presentPeople } from '../../issues/people.ts';
import { listReleases } from '../../releases/list.ts';
import { releaseHtmlUrl } from '../../releases/present.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { type FeedItem, feedAuthor } from './document.ts';
import { rendererOf } from './render.ts';

/** Releases and tags that a feed shows. */
const MAX_ITEMS = 30;
/** Length limit of a tag's message that a feed shows in characters. */
const MAX_MESSAGE = 20_000;

/** The latest published releases of a repository. */
export async function releaseItems(context: Context, repository: Repository): Promise<FeedItem[]> {
  const page = { page: 1, limit: MAX_ITEMS, offset: 0 };
  const { releases } = await listReleases(context, repository, { isDraft: false, withDrafts: false }, page);
  return itemsOf(context, repository, releases);
}

/**
 * The latest tags of a repository.
 * @param withReleases whether the caller may read releases: tags that have one are shown as that
 */
export async function tagItems(context: Context, repository: Repository, withReleases: boolean): Promise<FeedItem[]> {
  if (repository.is_empty) return [];
  const { tags } = await listTags(context, repository, { offset: 0, limit: MAX_ITEMS });
  const names = tags.map(({ name }) => name.toLowerCase());
  const releases =
    names.length === 0 || !withReleases
      ? []
      : await context.db
          .selectFrom('releases')
          .selectAll()
          .where('repository_id', '=', repository.id)
          .where('lower_tag_name', 'in', names)
          .where('is_draft', '=', false)
          .execute();
  const published = await itemsOf(context, repository, releases);
  const items = new Map(releases.map(({ tag_name: name }, index) => [name, published[index]] as const));
  return tags.map((tag) => items.get(tag.name) ?? itemOfTag(context, repository, tag));
}

/** In the order of the releases. */
async function itemsOf(context: Context, repository: Repository, releases: readonly ReleaseRow[]): Promise<FeedItem[]> {
  const publishers = releases.map((release) => release.publisher_id);
  const people = await findPeople(context.db, publishers, [context.actor, repository.owner]);
  const author = presentPeople(context, people, null);
  const render = await rendererOf(context);
  const items: FeedItem[] = [];
  for (const release of releases) {
    const link = releaseHtmlUrl(context, repository, release);
    items.push({
      id: `${release.id}: ${link}`,
      title: release.title,
      link,
      author: feedAuthor(author(release.publisher_id)),
      summary: '',
      content: await render(release.note, repository),
      time: release.created_at,
    });
  }
  return items;
}

function itemOfTag({ settings }: Context, repository: Repository, { name, oid, annotated, commit }: Tag): FeedItem {
  const link = `${repositoryHtmlUrl(settings, repository)}/releases/tag/${escapePath(name)}`;
  const by = annotated?.tagger ?? commit?.author;
  return {
    id: `${oid}: ${link}`,
    title: name,
    link,
    author: { name: by?.name ?? '', email: by?.email ?? '' },
    summary: '',
    content: escapeHtml((annotated?.message ?? '').slice(0, MAX_MESSAGE)),
    time: annotated?.tagger.seconds ?? commit?.committer.seconds ?? 0,
  };
}
