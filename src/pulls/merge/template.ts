import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { MergeStyle } from '../../database/tables/pulls.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { findEntry } from '../../git/trees/trees.ts';

/** Size limit of a template, unless the settings have one. */
const MAX_SIZE = 1024 * 1024;

/** The repository's template for the message of merges in a style, from its default branch. */
export async function messageTemplate(context: Context, repository: Repository, style: MergeStyle): Promise<string | undefined> {
  const { git, settings } = context;
  const folder = git.locate(repository);
  const tip = storedRef(folder, branchRef(repository.default_branch));
  const commit = tip === undefined ? undefined : await readCommit(folder, git.pool, tip);
  if (!commit) return undefined;
  const path = `.gitea/default_merge_message/${style.toUpperCase()}_TEMPLATE.md`;
  const entry = await findEntry(folder, git.pool, commit.tree, path);
  if (entry?.mode !== '100644' && entry?.mode !== '100755') return undefined;
  const blob = await git.pool.read(folder, entry.oid, { maxSize: MAX_SIZE }).catch(() => undefined);
  const { mergeMessageSize: size } = settings.pulls;
  const text = blob?.data.subarray(0, size < 0 ? MAX_SIZE : size).toString('utf8');
  // git requires a message.
  return text?.trim() === '' ? undefined : text;
}

/** `${name}` or `$name`; any other `$` stays. */
const VARIABLE = /\$(?:\{([^}]*)\}|\{|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*))/g;

/** Replaces variables in a template; unknown ones are empty. Values are not expanded again. */
export function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(VARIABLE, (_, braced?: string, sign?: string, plain?: string) => values.get(braced ?? sign ?? plain ?? '') ?? '');
}
