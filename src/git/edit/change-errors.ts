/** The branch to change does not exist. */
export class BranchNotFoundError extends Error {
  override readonly name: string = 'BranchNotFoundError';
  readonly branch: string;
  constructor(branch: string) {
    super(`branch does not exist [name: ${branch}]`);
    this.branch = branch;
  }
}

/** There is no branch yet, so there is nothing to delete. */
export class EmptyRepositoryError extends BranchNotFoundError {
  override readonly name = 'EmptyRepositoryError';
}

/** The branch to create exists. */
export class BranchExistsError extends Error {
  override readonly name = 'BranchExistsError';
  readonly branch: string;
  constructor(branch: string) {
    super(`branch already exists [name: ${branch}]`);
    this.branch = branch;
  }
}

/** No file can have this path, or something else is there; `path` ends with the part that is wrong. */
export class InvalidPathError extends Error {
  override readonly name = 'InvalidPathError';
  readonly path: string;
  constructor(path: string, reason = 'path contains a malformed path component') {
    super(`${reason} [path: ${path}]`);
    this.path = path;
  }
}

/** A file that is to be created exists. */
export class FileExistsError extends Error {
  override readonly name = 'FileExistsError';
  readonly path: string;
  constructor(path: string) {
    super(`repository file already exists [path: ${path}]`);
    this.path = path;
  }
}

/**
 * A file to change is missing: `part` is the missing folder of its path, or the whole path, or `oid` is the object that is in the way.
 */
export class FileNotFoundError extends Error {
  override readonly name = 'FileNotFoundError';
  constructor(part: string, oid = '') {
    super(`object does not exist [id: ${oid}, rel_path: ${part}]`);
  }
}

/** A file does not have the content that the caller expects. */
export class ShaMismatchError extends Error {
  override readonly name = 'ShaMismatchError';
  readonly path: string;
  readonly given: string;
  readonly actual: string;
  constructor(path: string, given: string, actual: string) {
    super(`sha does not match [given: ${given}, expected: ${actual}]`);
    this.path = path;
    this.given = given;
    this.actual = actual;
  }
}

/** A file has changed since the commit that the caller has seen. */
export class CommitMismatchError extends Error {
  override readonly name = 'CommitMismatchError';
  readonly given: string;
  constructor(given: string) {
    super(`file CommitID does not match [given: ${given}, expected: ${given}]`);
    this.given = given;
  }
}
