/** The reason of a package error. */
export type PackageProblem =
  | 'no-package'
  | 'no-file'
  | 'package-exists'
  | 'version-exists'
  | 'file-exists'
  | 'type-size'
  | 'total-size'
  | 'total-count'
  | 'invalid'
  | 'wrong-digest'
  | 'forbidden'
  | 'unauthorized'
  | 'missing';

const PROBLEMS: Readonly<Record<PackageProblem, readonly [status: number, message: string]>> = {
  'no-package': [404, 'package does not exist'],
  'no-file': [404, 'package file does not exist'],
  'package-exists': [409, 'package already exists'],
  'version-exists': [409, 'package version already exists'],
  'file-exists': [409, 'package file already exists'],
  'type-size': [403, 'maximum allowed package type size exceeded'],
  'total-size': [403, 'maximum allowed package storage quota exceeded'],
  'total-count': [403, 'maximum allowed package count exceeded'],
  invalid: [400, 'invalid package'],
  'wrong-digest': [400, 'the content does not have the digest that was declared'],
  forbidden: [403, 'Forbidden'],
  unauthorized: [401, 'user should have specific permission or be a site admin'],
  missing: [404, 'not found'],
};

/**
 * An error of the package registry. Each format converts it to a response of its own form (`PackageFormat.refuse`); the default is the
 * message in plain text with the status.
 */
export class PackageError extends Error {
  override readonly name = 'PackageError';
  readonly problem: PackageProblem;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** @param options.message and `status` if they differ from the defaults of all formats */
  constructor(problem: PackageProblem, options: { message?: string; status?: number; headers?: Record<string, string> } = {}) {
    const [status, message] = PROBLEMS[problem];
    super(options.message ?? message);
    this.problem = problem;
    this.status = options.status ?? status;
    this.headers = options.headers ?? {};
  }
}

/** 400: the upload is not a valid package of this format. */
export function invalid(message: string): PackageError {
  return new PackageError('invalid', { message });
}
