import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import { readCommits } from '../../git/commits.ts';
import { findEntry } from '../../git/trees.ts';
import { Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** A line of a file as compilers, linters and tests name it: `src/a.ts:12:5` or `src/a.ts(12,5)`. */
const PLACE =
  /(?<![\w/.:@+-])(?:\.\/)?((?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9})(?::(\d{1,7})(?::\d{1,6})?|\((\d{1,7}),\d{1,6}\))/g;
/** Files that are looked for; of a page of a log most lines name none or the same. */
const MAX_FILES = 50;
/** Characters of a line that are looked at. */
const MAX_LENGTH = 1000;

/** Makes links of the lines of files that the markup of a line of a log names. */
export type CodeLinks = (line: Html) => Html;

/** The links to the files that these lines of a log name and the commit of the run has. */
export async function codeLinks(visit: RepositoryVisit, context: Context, commit: string, lines: readonly string[]): Promise<CodeLinks> {
  const named = new Set<string>();
  for (const line of lines) for (const [, path = ''] of line.slice(0, MAX_LENGTH).matchAll(PLACE)) named.add(path);
  const files = visit.access.canRead('code') ? await filesOf(visit, context, commit, [...named].slice(0, MAX_FILES)) : new Set<string>();
  if (files.size === 0) return (line) => line;
  return ({ text }) =>
    new Html(
      text.replaceAll(PLACE, (words: string, path: string, line: string | undefined, inBrackets: string | undefined) => {
        if (!files.has(path)) return words;
        const href = repositoryPath(visit.view, visit.repository, `src/commit/${commit}/${escapePath(path)}#L${line ?? inBrackets}`);
        return html`<a href="${href}">${new Html(words)}</a>`.text;
      }),
    );
}

async function filesOf({ repository }: RepositoryVisit, { git }: Context, oid: string, paths: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const folder = git.locate(repository);
  const [commit] = paths.length > 0 ? await readCommits(folder, git.pool, [oid]) : [];
  if (!commit) return found;
  for (const path of paths) if ((await findEntry(folder, git.pool, commit.tree, path))?.type === 'blob') found.add(path);
  return found;
}
