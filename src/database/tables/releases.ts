import type { Generated, Selectable } from 'kysely';

/** A release: a tag with a title, notes and files. The tag itself is in git alone. */
export interface ReleasesTable {
  id: Generated<number>;
  repository_id: number;
  /** The tag of a draft need not exist. */
  tag_name: string;
  lower_tag_name: string;
  /** The branch, tag or commit where the tag is created if missing; empty where it existed. */
  target: Generated<string>;
  title: Generated<string>;
  /** Markdown. */
  note: Generated<string>;
  is_draft: Generated<boolean>;
  is_prerelease: Generated<boolean>;
  /** The user may be deleted, so this is not a foreign key. */
  publisher_id: number;
  /** The publisher on the server that it was imported from, and the id there. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  /** Of a draft the last change; of a release the publication, or the tag's creation if that existed before. */
  created_at: number;
}

export interface ReleaseTables {
  releases: ReleasesTable;
}

export type ReleaseRow = Selectable<ReleasesTable>;
