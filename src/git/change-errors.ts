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

/** The branch to make exists. */
export class BranchExistsError extends Error {
  override readonly name = 'BranchExistsError';
  readonly branch: string;
  constructor(branch: string) {
    super(`branch already exists [name: ${branch}]`);
    this.branch = branch;
  }
}

/** A path no file can have, or one where something else stands; `path` is as far as the trouble goes. */
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
 * A file that is to be changed is not there: `part` is the folder on the way that is missing, or its whole path, or `oid` stands in its
 * way.
 */
export class FileNotFoundError extends Error {
  override readonly name = 'FileNotFoundError';
  constructor(part: string, oid = '') {
    super(`object does not exist [id: ${oid}, rel_path: ${part}]`);
  }
}

/** A file does not hold what the caller thinks it holds. */
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
