import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { findEntry } from '../../git/trees.ts';
import { defaultTree } from './files.ts';
import { readStored } from './read.ts';
import type { Config } from './read-config.ts';

/** Where the file is looked for; the first that is there counts. */
const PLACES = ['.gitea/ISSUE_TEMPLATE/', '.gitea/issue_template/', '.github/ISSUE_TEMPLATE/', '.github/issue_template/'].flatMap(
  (folder) => [`${folder}config.yaml`, `${folder}config.yml`],
);

const DEFAULT: Config = { blank_issues_enabled: true, contact_links: [] };

/** What a repository says of new issues, and what is wrong with it; what is wrong counts as not said. */
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
