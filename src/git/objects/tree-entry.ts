/** The modes of entries, as git writes them with six digits. */
export type EntryMode = '100644' | '100755' | '120000' | '040000' | '160000';

/** A file, folder, symbolic link or submodule in a tree. */
export interface TreeEntry {
  /**
   * The name within its folder. Bytes that are not UTF-8 are U+FFFD, as JSON cannot represent them; lookups accept the name in
   * this form, so whatever was listed can be read, and of two equal names the first is used.
   */
  readonly name: string;
  readonly mode: EntryMode;
  /** `commit` is a submodule. */
  readonly type: 'blob' | 'tree' | 'commit';
  readonly oid: string;
}
