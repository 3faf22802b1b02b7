import { attachmentKey } from '../../../../issues/attachments/store.ts';
import type { Batch } from '../../batch.ts';
import { openInside } from '../../files.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Attachments of issues, comments and releases. */
export const attachments: Step = {
  name: 'attachments',
  table: 'attachment',
  batchSize: 50,
  run: async (rows, batch) => {
    const homes = {
      issues: await batch.existingOf('issues', rows, 'issue_id'),
      comments: await batch.existingOf('comments', rows, 'comment_id'),
      releases: await batch.existingOf('releases', rows, 'release_id'),
    };
    const repositories = await repositoriesOf(rows, batch);
    for (const row of rows) {
      const [issue, comment, release] = [row.reference('issue_id'), row.reference('comment_id'), row.reference('release_id')];
      // Unused uploads belong to nothing.
      const isThere = (id: number | null, known: ReadonlySet<number>) => id === null || known.has(id);
      const isTaken = isThere(issue, homes.issues) && isThere(comment, homes.comments) && isThere(release, homes.releases);
      const repository = repositories.get(row.id);
      if (!isTaken || repository === undefined || (issue ?? comment ?? release) === null) continue;
      if (row.text('external_url') !== '') {
        batch.note(subjectOf(row), 'it is a link to another place, which releases here cannot have: it is left out');
        continue;
      }
      const size = await copyFile(row, batch);
      if (size === undefined) continue;
      batch.add('attachments', {
        id: row.id,
        uuid: row.text('uuid'),
        repository_id: repository,
        uploader_id: row.integer('uploader_id'),
        issue_id: issue,
        comment_id: comment,
        release_id: release,
        name: row.line('name').replace(/[/\\]/g, '_') || 'file',
        size,
        download_count: Math.max(0, row.integer('download_count')),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Copies the bytes of an attachment; returns how many, or undefined, with a note, if there are none. */
async function copyFile(row: Row, batch: Batch): Promise<number | undefined> {
  const uuid = row.text('uuid');
  const { settings, context, isDryRun } = batch.run;
  const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(uuid);
  const file = isUuid ? await openInside(settings.storages.attachments, uuid.slice(0, 1), uuid.slice(1, 2), uuid) : undefined;
  if (!file) {
    batch.note(subjectOf(row), 'its file is missing: it is left out');
    return undefined;
  }
  if (isDryRun) file.stream.destroy();
  else await context.storage.put(attachmentKey(uuid), file.stream);
  return file.size;
}

function subjectOf(row: Row): string {
  return `attachment ${row.id} (${row.line('name', 100)})`;
}

/** The repositories of attachments, by id. Some versions of Gitea did not store them with all. */
async function repositoriesOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, number>> {
  const { db } = batch.context;
  const ids = (column: string) => [0, ...rows.flatMap((row) => row.reference(column) ?? [])];
  const issues = await db.selectFrom('issues').select(['id', 'repository_id']).where('id', 'in', ids('issue_id')).execute();
  const releases = await db.selectFrom('releases').select(['id', 'repository_id']).where('id', 'in', ids('release_id')).execute();
  const byId = (found: typeof issues) => new Map(found.map(({ id, repository_id }) => [id, repository_id]));
  const [ofIssue, ofRelease] = [byId(issues), byId(releases)];
  return new Map(
    rows.flatMap((row) => {
      const repository = ofIssue.get(row.integer('issue_id')) ?? ofRelease.get(row.integer('release_id'));
      return repository === undefined ? [] : [[row.id, repository]];
    }),
  );
}
