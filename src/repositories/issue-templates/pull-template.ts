import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { TemplateError } from './error.ts';
import { defaultTree, textOf } from './files.ts';

/** The places of the template, in this order. */
const PATHS = ['', '.gitea/', '.github/', 'docs/'].flatMap((place) =>
  ['PULL_REQUEST_TEMPLATE.md', 'pull_request_template.md'].map((name) => place + name),
);

/** The text that pull requests begin with, of the default branch; empty without a template, or with one that is too long. */
export async function pullTemplate(context: Context, repository: Repository): Promise<string> {
  const found = await defaultTree(context, repository);
  if (!found) return '';
  for (const path of PATHS) {
    const entry = await findEntry(found.folder, context.git.pool, found.tree, path);
    if (entry?.type !== 'blob' || entry.mode === '120000') continue;
    try {
      return await textOf(context, found.folder, entry);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return '';
    }
  }
  return '';
}
