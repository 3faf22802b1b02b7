import { join } from 'node:path';

/** The supported object formats; the first is git's own default. */
export const OBJECT_FORMATS = ['sha1', 'sha256'] as const;

/** How a repository names its objects. */
export type ObjectFormat = (typeof OBJECT_FORMATS)[number];

/** Whether `text` is the name of a supported object format. */
export function isObjectFormat(text: string): text is ObjectFormat {
  return OBJECT_FORMATS.some((format) => format === text);
}

/** A bare repository on disk, as the git layer sees it. */
export interface GitRepository {
  /** The absolute path of its folder. */
  readonly path: string;
  readonly objectFormat: ObjectFormat;
  /**
   * Further objects for git: the quarantine of a push that is being checked (`GIT_OBJECT_DIRECTORY` and
   * `GIT_ALTERNATE_OBJECT_DIRECTORIES` as set by git), or another repository ({@link joinRepositories}).
   * What is read with it is never cached, as it does not belong to the repository.
   */
  readonly quarantine?: Readonly<Record<string, string>>;
  /**
   * Runs a task that writes to the folder: records that this process writes (writers.ts), and waits while the repository is moved
   * (write-gate.ts). Called through {@link whileWriting}.
   */
  readonly writing?: <T>(task: () => Promise<T>) => Promise<T>;
}

/**
 * Runs `task`, which writes to the folder of the repository. Every write runs in it; calls may be nested.
 * @throws RepositoryLockedError when the repository stays locked for long
 */
export async function whileWriting<T>({ writing }: Pick<GitRepository, 'writing'>, task: () => Promise<T>): Promise<T> {
  return await (writing ? writing(task) : task());
}

/** The hexadecimal length of an object id. */
export function objectIdLength(format: ObjectFormat): 40 | 64 {
  return format === 'sha256' ? 64 : 40;
}

/** The id of no object, as in a ref's creation and deletion. */
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

/** `repository` with access to the objects of `other`, to compare the two. Nothing is copied; refs are those of `repository`. */
export function joinRepositories(repository: GitRepository, other: GitRepository): GitRepository {
  if (repository.path === other.path) return repository;
  // git expects a list that is separated by colons, in which a quoted path may contain anything.
  const quoted = `"${join(other.path, 'objects').replace(/[\\"]/g, '\\$&')}"`;
  return { ...repository, quarantine: { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted } };
}
