import { hash } from 'node:crypto';
import type { Repository } from '../../../access/find-repository.ts';
import type { Context } from '../../../context.ts';
import { type ChangedFile, type Changes, changedFiles, type Whitespace } from '../../../git/diff/changes.ts';
import { diffBetween } from '../../../git/diff/diff.ts';
import { GitLimitError } from '../../../git/processes/process.ts';
import { emptyTreeId, type GitRepository, joinRepositories } from '../../../git/repository.ts';
import type { FormFields } from '../../../http/bodies/fields.ts';
import { HttpError } from '../../../http/errors.ts';
import { DiffCache } from './diff-cache.ts';
import type * as task from './diff-task.ts';
import type * as generatedTask from './generated-task.ts';
import { piecesOf } from './pieces.ts';

/** One side of a diff: a commit, and the repository that it is read from. */
export interface DiffSide {
  readonly repository: Repository;
  /** The full id; undefined for the empty state before the first commit. */
  readonly commit: string | undefined;
  /** Whether its files are wiki pages. */
  readonly isWiki?: boolean;
}

/** The two sides of a diff. */
export interface DiffSource {
  readonly base: DiffSide;
  readonly head: DiffSide & { readonly commit: string };
  /** The directory of the head's objects, if they are not in its repository. */
  readonly within?: GitRepository;
}

/** The options of a diff page, from its query. */
export interface DiffQuery {
  readonly whitespace: Whitespace | undefined;
  /** The only file that is shown, whatever its size. */
  readonly file: string | undefined;
  /** Lines of context around each change. */
  readonly context: number;
}

/** A diff with its list of files. */
export interface Diff {
  readonly source: DiffSource;
  readonly query: DiffQuery;
  readonly changes: Changes;
  /** The files that the page lists. */
  readonly files: readonly ChangedFile[];
  /** The files whose lines are not shown. */
  readonly folded: ReadonlySet<string>;
}

const CONTEXT = 3;
const MAX_CONTEXT = 100_000;
/** Maximum number of files of a page. */
const MAX_FILES = 3_000;
/** A file is folded from this many changed lines on, of itself and of all files before it. */
const MAX_OPEN = 1_000;
const MAX_ALL_OPEN = 25_000;
/** Lines of a file that is requested by its name. */
const MAX_LINES = 20_000;
const LIMITS = { timeoutMs: 60_000, maxOutput: 256 * 1024 * 1024 };
const TASK = new URL('./diff-task.ts', import.meta.url);
const GENERATED_TASK = new URL('./generated-task.ts', import.meta.url);

/** Parses the options of a diff in the query of a page: `whitespace`, `file` and `context`. */
export function diffQuery(fields: FormFields): DiffQuery {
  const whitespaces: readonly Whitespace[] = ['ignore-all', 'ignore-change', 'ignore-eol'];
  const context = Number(fields.get('context') ?? CONTEXT);
  return {
    whitespace: whitespaces.find((one) => one === fields.get('whitespace')),
    file: fields.get('file') || undefined,
    context: Number.isInteger(context) && context >= 0 ? Math.min(context, MAX_CONTEXT) : CONTEXT,
  };
}

/**
 * Finds the files of a difference.
 * @param isFolded files that the reader has seen, and such
 * @throws HttpError 422 when it is too large for that
 */
export async function openDiff(
  context: Context,
  source: DiffSource,
  query: DiffQuery,
  isFolded: (file: ChangedFile) => boolean = () => false,
): Promise<Diff> {
  const { git } = context;
  try {
    const changes = await changedFiles(objectsOf(context, source), git.pool, ...idsOf(context, source), {
      ...(query.whitespace && { whitespace: query.whitespace }),
    });
    const files = changes.files.filter(({ path }) => query.file === undefined || path === query.file).slice(0, MAX_FILES);
    return { source, query, changes, files, folded: await foldedOf(context, changes, files, query, isFolded) };
  } catch (error) {
    if (error instanceof GitLimitError) throw new HttpError(422, 'the difference is too large to be shown');
    throw error;
  }
}

async function foldedOf(
  { workers }: Context,
  { files: all }: Changes,
  files: readonly ChangedFile[],
  { file }: DiffQuery,
  isFolded: (file: ChangedFile) => boolean,
): Promise<Set<string>> {
  const folded = new Set<string>();
  if (file !== undefined || files.length === 0) return folded;
  const generated = await generatedOf(workers, all);
  let open = 0;
  for (const changed of files) {
    const { path, additions, deletions } = changed;
    const lines = additions + deletions;
    const isLarge = lines > MAX_OPEN || open + lines > MAX_ALL_OPEN;
    if (isLarge || isFolded(changed) || (lines > 0 && generated.has(path))) folded.add(path);
    else open += lines;
  }
  return folded;
}

/** Cached with the changes: which of them are generated. */
const generatedPaths = new WeakMap<readonly ChangedFile[], ReadonlySet<string>>();

async function generatedOf(workers: Context['workers'], all: readonly ChangedFile[]): Promise<ReadonlySet<string>> {
  const known = generatedPaths.get(all);
  if (known) return known;
  const paths = all.slice(0, MAX_FILES).map(({ path }) => path);
  const generated = new Set(await workers.run<typeof generatedTask>(GENERATED_TASK, paths));
  generatedPaths.set(all, generated);
  return generated;
}

/** The lines of the files that are not folded, in pieces, in the order of the files. Reads two pieces at a time. */
export async function* diffLines(context: Context, { source, query, files, folded }: Diff): AsyncGenerator<readonly task.ShownFile[]> {
  if (files.every(({ path }) => folded.has(path))) return;
  const { file, whitespace, context: around } = query;
  const repository = objectsOf(context, source);
  const ids = idsOf(context, source);
  const kept = new DiffCache(context.git.pool.cache, repository, { ...query, ids, folded });
  const known = kept.read();
  if (known) {
    yield known;
    return;
  }
  const paths = file === undefined ? [] : files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]));
  const patch = diffBetween(repository, ...ids, { ...LIMITS, context: around, whitespace, paths });
  const maxLines = file === undefined ? MAX_OPEN * 8 : MAX_LINES;
  let before: Promise<task.ShownFile[]> | undefined;
  try {
    for await (const piece of piecesOf(patch)) {
      const next = context.workers.run<typeof task>(TASK, { patch: piece, folded, maxLines });
      next.catch(() => {});
      if (before) yield kept.add(await before);
      before = next;
    }
    if (!before) return;
    const last = kept.add(await before);
    // Who has all files does not ask again.
    kept.write();
    yield last;
  } finally {
    patch.destroy();
  }
}

/** The repository that has the objects of both sides. */
export function objectsOf({ git }: Pick<Context, 'git'>, { base, head, within }: DiffSource) {
  return within ?? joinRepositories(git.locate(head.repository), git.locate(base.repository));
}

function idsOf({ git }: Context, { base, head }: DiffSource): [string, string] {
  return [base.commit ?? emptyTreeId(git.locate(head.repository).objectFormat), head.commit];
}

/** The anchor of a file; lines append `R10` or `L10`, for the new and the old side. */
export function diffAnchor(path: string): string {
  return `diff-${hash('sha1', path)}`;
}
