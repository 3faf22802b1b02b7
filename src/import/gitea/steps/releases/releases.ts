import { isValidRefName } from '../../../../git/refs/ref-names.ts';
import type { Step } from '../../step.ts';

/** Releases and drafts. Rows that only represent a tag supply its date: everything else of tags is in git. */
export const releases: Step = {
  name: 'releases',
  table: 'release',
  batchSize: 100,
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      if (!repositories.has(row.integer('repo_id'))) continue;
      const tag = row.line('tag_name');
      if (!isValidRefName(tag)) {
        batch.note(`release ${row.id}`, `its tag ${tag} has a name that no tag can have: it is left out`);
        continue;
      }
      const createdAt = row.time('created_unix');
      if (row.flag('is_tag')) {
        if (createdAt > 0) batch.add('tag_dates', { repository_id: row.integer('repo_id'), name: tag, made_at: createdAt });
        continue;
      }
      batch.noteCuts(`release ${row.id}`, row);
      batch.add('releases', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        tag_name: tag,
        lower_tag_name: tag.toLowerCase(),
        target: row.line('target'),
        title: row.line('title'),
        note: row.text('note'),
        is_draft: row.flag('is_draft'),
        is_prerelease: row.flag('is_prerelease'),
        publisher_id: row.integer('publisher_id'),
        original_author: row.line('original_author'),
        original_author_id: row.integer('original_author_id'),
        created_at: createdAt,
      });
    }
  },
};
