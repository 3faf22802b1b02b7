import { join } from 'node:path';

/** The object formats that a repository can be made with; the first is git's own default. */
export const OBJECT_FORMATS = ['sha1', 'sha256'] as const;

/** How a repository names its objects. */
export type ObjectFormat = (typeof OBJECT_FORMATS)[number];

/** Whether `text` is the name of an object format that a repository can be made with. */
export function isObjectFormat(text: string): text is ObjectFormat {
  return OBJECT_FORMATS.some((format) => format === text);
}

/** A bare repository on disk: all that the git layer knows of one. */
export interface GitRepository {
  /** The absolute path of its folder. */
  readonly path: string;
  readonly objectFormat: ObjectFormat;
  /**
   * Where else git finds objects: the quarantine of a push that is being checked (`GIT_OBJECT_DIRECTORY` and
   * `GIT_ALTERNATE_OBJECT_DIRECTORIES` as git gave them), or another repository ({@link joinRepositories}).
   * What is read through a repository that has it is never cached, as it is not the repository's own.
   */
  readonly quarantine?: Readonly<Record<string, string>>;
  /**
   * Runs what writes to the folder: notes that this process does (writers.ts), and waits while the repository is moved (write-gate.ts).
   * Called through {@link whileWriting}.
   */
  readonly writing?: <T>(task: () => Promise<T>) => Promise<T>;
}

/**
 * Runs `task`, which writes to the folder of the repository. Whatever writes there runs in it; one may run in another.
 * @throws RepositoryLockedError when the repository cannot be written to for long
 */
export async function whileWriting<T>({ writing }: Pick<GitRepository, 'writing'>, task: () => Promise<T>): Promise<T> {
  return await (writing ? writing(task) : task());
}

/** The hexadecimal length of an object id. */
export function objectIdLength(format: ObjectFormat): 40 | 64 {
  return format === 'sha256' ? 64 : 40;
}

/** The id that stands for no object, as in a ref's creation and deletion. */
export function zeroObjectId(format: ObjectFormat): string {
  return '0'.repeat(objectIdLength(format));
}

/** The id of the tree without entries, which git knows without it being stored. */
export function emptyTreeId(format: ObjectFormat): string {
  return format === 'sha256'
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
}

/** Whether `text` is a full object id of this format. */
export function isObjectId(text: string, format: ObjectFormat): boolean {
  return text.length === objectIdLength(format) && /^[0-9a-f]+$/.test(text);
}

/** `repository` with the objects of `other` at hand, to compare what the two hold. Nothing is copied; refs are those of `repository`. */
export function joinRepositories(repository: GitRepository, other: GitRepository): GitRepository {
  if (repository.path === other.path) return repository;
  // git takes a list that is parted by colons, in which a quoted path may hold anything.
  const quoted = `"${join(other.path, 'objects').replace(/[\\"]/g, '\\$&')}"`;
  return { ...repository, quarantine: { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted } };
}
