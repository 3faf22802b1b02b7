import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import { readCommits } from '../../git/objects/commits.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { type CodeLinks, readLogLine } from './log-lines.ts';

/** A line of a file as compilers, linters and tests write it: `src/a.ts:12:5`, `src/a.ts(12,5)`, `file:///workspace/owner/repo/src/a.ts:12`. */
const PLACE =
  /(?<![\w/.:@+-])(?:file:\/\/|\.\/)?(\/?(?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9})(?::(\d{1,7})(?::\d{1,6})?|\((\d{1,7}),\d{1,6}\))/g;
/** Files that are looked up; most lines of a log name no file or the same one. */
const MAX_FILES = 50;
/** Paths in the repository that one absolute path is tried as. */
const MAX_MEANINGS = 5;
/** Length limit of a line in characters. */
const MAX_LENGTH = 1000;

/** Links to the files that these lines of a log name, if the commit of the run has them. */
export async function codeLinks(visit: RepositoryVisit, context: Context, commit: string, lines: readonly string[]): Promise<CodeLinks> {
  const named = new Set<string>();
  for (const line of lines) for (const [, path = ''] of readLogLine(line).text.slice(0, MAX_LENGTH).matchAll(PLACE)) named.add(path);
  const files = visit.access.canRead('code')
    ? await filesOf(visit, context, commit, [...named].slice(0, MAX_FILES))
    : new Map<string, string>();
  if (files.size === 0) return (line) => line;
  return ({ text }) =>
    new Html(
      text.replaceAll(PLACE, (words: string, named: string, line: string | undefined, inBrackets: string | undefined) => {
        const path = files.get(named);
        if (path === undefined) return words;
        const href = repositoryPath(visit.view, visit.repository, `src/commit/${commit}/${escapePath(path)}#L${line ?? inBrackets}`);
        return html`<a href="${href}">${new Html(words)}</a>`.text;
      }),
    );
}

/** The paths of the files in the commit, by the names in the log. */
async function filesOf(
  { repository }: RepositoryVisit,
  { git }: Context,
  oid: string,
  named: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const folder = git.locate(repository);
  const [commit] = named.length > 0 ? await readCommits(folder, git.pool, [oid]) : [];
  if (!commit) return found;
  for (const name of named) {
    for (const path of pathsOf(name, repository.name)) {
      if ((await findEntry(folder, git.pool, commit.tree, path))?.type !== 'blob') continue;
      found.set(name, path);
      break;
    }
  }
  return found;
}

/** The paths that a name can mean: a runner clones the repository into a folder of its name, which may contain one of the same name. */
function pathsOf(name: string, repository: string): string[] {
  if (!name.startsWith('/')) return [name];
  const folders = name.split('/');
  return folders.flatMap((folder, at) => (folder === repository ? [folders.slice(at + 1).join('/')] : [])).slice(0, MAX_MEANINGS);
}
