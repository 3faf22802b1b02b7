/** The change of one file. */
export interface FileChange {
  /**
   * - `create`: the file must not exist; a file at `fromPath` makes room for it
   * - `update`: it must exist, at `fromPath` if that is given: then it is moved
   * - `upload`: it may exist
   * - `rename`: it must exist at `fromPath`; its content stays
   * - `delete`: it must exist
   * In a repository without a commit, `update` and `upload` make the file: there is nothing that could be lost.
   */
  operation: 'create' | 'update' | 'upload' | 'rename' | 'delete';
  path: string;
  /** Where the file was before, if not at `path`. */
  fromPath?: string;
  /** For create, update and upload. */
  content?: Uint8Array;
  /** The id of the blob that the file must hold now. */
  sha?: string;
  /** Whether a file that is made is executable; without it an existing file's mode stays. */
  executable?: boolean;
  /** Whether a file may take the place of a symbolic link. */
  replacesLink?: boolean;
  /** Whether `delete` may take a folder with all that is in it. */
  recursive?: boolean;
}
