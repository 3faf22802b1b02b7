import type { Repository } from '../../access/find-repository.ts';
import { compareIds } from '../../code/compare/compare.ts';
import type { Context } from '../../context.ts';
import { readCommit, summary } from '../../git/objects/commits.ts';
import { HttpError } from '../../http/errors.ts';
import { pullTemplate } from '../../repositories/issue-templates/pull-template.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** Characters of a title. */
const MAX_TITLE = 255;
/** Characters that are taken from the message of a commit. */
const MAX_BODY = 16_384;

/**
 * The title and description that a new pull request begins with: the subject of its first commit; the rest of the message if that is the
 * only one, and the template of the repository.
 */
export async function firstText(
  { repository }: RepositoryVisit,
  context: Context,
  { base, head }: { base: string; head: string },
): Promise<{ title: string; body: string }> {
  const template = await pullTemplate(context, repository);
  if (base === '' || head === '') return { title: '', body: template };
  const { message, isAlone } = await firstCommit(context, repository, `${base}...${head}`);
  const title = summary(message);
  const rest = isAlone ? message.slice(message.indexOf(title) + title.length).trim() : '';
  return { title: title.slice(0, MAX_TITLE), body: [rest.slice(0, MAX_BODY), template].filter((part) => part !== '').join('\n\n') };
}

/** The oldest commit of the head that the base does not have; none for branches that are missing, as the form says when it is sent. */
async function firstCommit(context: Context, repository: Repository, comparison: string): Promise<{ message: string; isAlone: boolean }> {
  try {
    const { head, ids } = await compareIds(context, repository, comparison);
    const first = ids.at(-1);
    const commit = first === undefined ? undefined : await readCommit(context.git.locate(head), context.git.pool, first);
    return { message: commit?.message ?? '', isAlone: ids.length === 1 };
  } catch (error) {
    if (error instanceof HttpError) return { message: '', isAlone: false };
    throw error;
  }
}
