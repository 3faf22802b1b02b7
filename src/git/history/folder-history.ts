import { GitError } from '../processes/process.ts';
import { streamGit } from '../processes/stream.ts';
import type { GitRepository } from '../repository.ts';
import { isObjectId } from '../repository.ts';

/** A commit that changed a folder, or a merge of commits that did. */
export interface FolderCommit {
  readonly oid: string;
  /** The nearest ancestors that also changed it; commits that did not are skipped. */
  readonly parents: readonly string[];
  /** The entries of the folder that differ from its only parent; empty for a merge. */
  readonly names: ReadonlySet<string>;
}

const TIMEOUT_MS = 60_000;
const COMMIT = /^\x01([0-9a-f]{40,64})((?: [0-9a-f]{40,64})*)$/;

/**
 * The history of a folder from a commit on, children before parents by time; ending the loop ends git. The empty path is the root.
 * @throws GitError
 */
export async function* folderHistory(repository: GitRepository, head: string, folder: string): AsyncGenerator<FolderCommit> {
  if (!isObjectId(head, repository.objectFormat)) throw new GitError(['log'], null, `${JSON.stringify(head)} is not a commit's id`);
  const shown = ['-z', '--format=%x01%H %P', '--name-only', '--no-renames', '--diff-merges=off', '--parents'];
  const path = folder === '' ? [] : [folder];
  const args = ['--literal-pathspecs', 'log', ...shown, '--end-of-options', head, '--', ...path];
  let commit: { oid: string; parents: string[]; names: Set<string> } | undefined;
  let isFirst = false;
  for await (const record of records(repository, args)) {
    const [, oid, parents] = COMMIT.exec(record.trimEnd()) ?? [];
    if (oid !== undefined && parents !== undefined) {
      if (commit) yield commit;
      commit = { oid, parents: parents.split(' ').filter(Boolean), names: new Set() };
      isFirst = true;
    } else if (commit) {
      // A line break separates a commit from the first of its names.
      const name = isFirst && record.startsWith('\n') ? record.slice(1) : record;
      isFirst = false;
      commit.names.add(entryOf(name, folder));
    }
  }
  if (commit) yield commit;
}

function entryOf(path: string, folder: string): string {
  const inside = folder === '' ? path : path.slice(folder.length + 1);
  const slash = inside.indexOf('/');
  return slash < 0 ? inside : inside.slice(0, slash);
}

/** git's output, split at its NULs. */
async function* records(repository: GitRepository, args: readonly string[]): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of streamGit(repository, args, { timeoutMs: TIMEOUT_MS }) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}
