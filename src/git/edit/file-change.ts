/** The change of one file. */
export interface FileChange {
  /**
   * - `create`: the file must not exist; a file at `fromPath` makes room for it
   * - `update`: it must exist, at `fromPath` if that is given: then it is moved
   * - `upload`: it may exist
   * - `rename`: it must exist at `fromPath`; its content stays
   * - `delete`: it must exist
   * In a repository without a commit, `update` and `upload` create the file: there is nothing to lose.
   */
  operation: 'create' | 'update' | 'upload' | 'rename' | 'delete';
  path: string;
  /** The former path of the file, if it differs from `path`. */
  fromPath?: string;
  /** For create, update and upload. */
  content?: Uint8Array;
  /** The id of the blob that the file must have now. */
  sha?: string;
  /** Whether a created file is executable; without it an existing file's mode stays. */
  executable?: boolean;
  /** Whether a file may replace a symbolic link. */
  replacesLink?: boolean;
  /** Whether `delete` may delete a folder with everything in it. */
  recursive?: boolean;
}
