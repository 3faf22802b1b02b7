import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { defaultTree } from './files.ts';
import { readStored } from './read.ts';
import type { Config } from './read-config.ts';

/** The possible folders of the file; the first one that exists counts. */
const PLACES = ['.gitea/ISSUE_TEMPLATE/', '.gitea/issue_template/', '.github/ISSUE_TEMPLATE/', '.github/issue_template/'].flatMap(
  (folder) => [`${folder}config.yaml`, `${folder}config.yml`],
);

const DEFAULT: Config = { blank_issues_enabled: true, contact_links: [] };

/** A repository's configuration of new issues, and its error; an invalid one counts as missing. */
export async function issueConfig(context: Context, repository: Repository): Promise<{ config: Config; problem: string }> {
  const found = await defaultTree(context, repository);
  if (!found) return { config: DEFAULT, problem: '' };
  for (const path of PLACES) {
    const entry = await findEntry(found.folder, context.git.pool, found.tree, path);
    if (entry?.type !== 'blob') continue;
    const [file] = await readStored(context, found.folder, [{ kind: 'config', path, oid: entry.oid }]);
    if (file && 'config' in file) return { config: file.config, problem: '' };
    return { config: DEFAULT, problem: file && 'problem' in file ? file.problem : '' };
  }
  return { config: DEFAULT, problem: '' };
}
