import { now } from '../../clock.ts';
import { inTransaction } from '../../context.ts';
import { isValidRefName, isValidTagName, tagRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { excerpt } from '../../markup/excerpt.ts';
import type { SourceRelease } from '../source/source.ts';
import { discardFiles, storeAssets } from './assets.ts';
import type { Target } from './run.ts';

const MAX_TITLE = 255;

/** Writes a page of releases with their files. A tag has one release: the one that came first. */
export async function writeReleases(target: Target, releases: readonly SourceRelease[]): Promise<void> {
  // Sources list the latest first; releases of one second are shown by their id.
  for (const release of releases.toReversed()) {
    if (isValidTagName(release.tag)) await writeRelease(target, release);
    else target.context.log.warn({ repository: target.repository.id, tag: release.tag.slice(0, 200) }, 'a release has no usable tag');
  }
}

async function writeRelease(target: Target, release: SourceRelease): Promise<void> {
  const { context, repository } = target;
  const { tag, target: at } = release;
  const taken = await context.db
    .selectFrom('releases')
    .select('id')
    .where('repository_id', '=', repository.id)
    .where('lower_tag_name', '=', tag.toLowerCase())
    .executeTakeFirst();
  if (taken) return;
  const createdAt = release.createdAt ?? now();
  const { author_id, ...original } = await target.people.attribute(release.author);
  const isTagged = storedRef(context.git.locate(repository), tagRef(tag)) !== undefined;
  const files = await storeAssets(target, release.assets, createdAt);
  try {
    await inTransaction(context, async ({ db }) => {
      const { id } = await db
        .insertInto('releases')
        .values({
          repository_id: repository.id,
          tag_name: tag,
          lower_tag_name: tag.toLowerCase(),
          target: isValidRefName(at) ? at : '',
          title: excerpt(release.title, MAX_TITLE),
          note: release.note,
          // Without its tag nobody sees a release here: pushing the tag publishes it.
          is_draft: release.isDraft || !isTagged,
          is_prerelease: release.isPrerelease,
          publisher_id: author_id,
          ...original,
          created_at: createdAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const about = { repository_id: repository.id, uploader_id: author_id, release_id: id };
      if (files.length > 0)
        await db
          .insertInto('attachments')
          .values(files.map((file) => ({ ...file, ...about })))
          .execute();
    });
  } catch (error) {
    await discardFiles(context, files);
    throw error;
  }
}
