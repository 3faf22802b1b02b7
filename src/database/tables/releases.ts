import type { Generated, Selectable } from 'kysely';

/** A release: a tag with a title, notes and files. The tag itself is in git alone. */
export interface ReleasesTable {
  id: Generated<number>;
  repository_id: number;
  /** A draft's tag need not be there yet. */
  tag_name: string;
  lower_tag_name: string;
  /** The branch, tag or commit at which the tag is made if it is not there; empty where it was. */
  target: Generated<string>;
  title: Generated<string>;
  /** Markdown. */
  note: Generated<string>;
  is_draft: Generated<boolean>;
  is_prerelease: Generated<boolean>;
  /** Possibly gone, so it is no key. */
  publisher_id: number;
  /** Who published it where it was imported from, and the id there. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  /** Of a draft when it was last changed, of a release when it was published, or its tag made if that was there before. */
  created_at: number;
}

export interface ReleaseTables {
  releases: ReleasesTable;
}

export type ReleaseRow = Selectable<ReleasesTable>;
