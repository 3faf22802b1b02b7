import { compare } from '../../code/compare/compare.ts';
import type { Context } from '../../context.ts';
import { summary } from '../../git/commits.ts';
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
  const commits = await commitsAhead();
  const message = commits.at(-1)?.message ?? '';
  const title = summary(message);
  const rest = commits.length === 1 ? message.slice(message.indexOf(title) + title.length).trim() : '';
  return { title: title.slice(0, MAX_TITLE), body: [rest.slice(0, MAX_BODY), template].filter((part) => part !== '').join('\n\n') };

  /** Newest first; none for branches that are missing, as the form says when it is sent. */
  async function commitsAhead() {
    try {
      return (await compare(context, repository, `${base}...${head}`)).commits;
    } catch (error) {
      if (error instanceof HttpError) return [];
      throw error;
    }
  }
}
