import type { Repository } from '../access/find-repository.ts';
import { gitSignature } from '../accounts/git-signature.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { RepositoryUpdate } from '../database/tables/repositories.ts';
import { changeFiles } from '../git/edit/change-files.ts';
import { badRequest, unprocessable } from '../http/errors.ts';
import { type InitialFile, initialFiles } from '../instance/templates/initial-files.ts';
import { getLabelTemplate } from '../instance/templates/labels.ts';
import { UnknownTemplateError } from '../instance/templates/unknown-template.ts';
import type { NewRepositoryOptions } from './new-repository.ts';
import { initialCommitter } from './signing/initial-commit.ts';

/** The files of the first commit, none without one; validates all named templates. */
export function checkTemplates(context: Context, owner: User, options: NewRepositoryOptions): readonly InitialFile[] {
  if (options.issueLabels) checkLabelTemplate(options.issueLabels);
  if (!options.autoInit) return [];
  try {
    return initialFiles({
      name: options.name,
      description: options.description ?? '',
      owner: owner.name,
      email: gitSignature(context, owner).email,
      year: new Date().getUTCFullYear(),
      readme: options.readme ?? '',
      gitignores: options.gitignores ?? '',
      license: options.license ?? '',
    });
  } catch (error) {
    if (!(error instanceof UnknownTemplateError)) throw error;
    throw error.kind === 'readme' ? badRequest(error.message) : unprocessable(error.message);
  }
}

function checkLabelTemplate(name: string): void {
  if (getLabelTemplate(name)) return;
  const quoted = JSON.stringify(name);
  throw unprocessable(`failed to load label template file ${quoted}: label template ${quoted} not found`);
}

/** Creates the first commit with these files; returns the columns that depend on it. */
export async function commitFiles(context: Context, repository: Repository, files: readonly InitialFile[]): Promise<RepositoryUpdate> {
  const author = gitSignature(context, context.actor ?? repository.owner);
  const { committer, sign } = await initialCommitter(context, repository, author);
  await changeFiles(context.git.locate(repository), {
    branch: repository.default_branch,
    files: files.map(({ path, content }) => ({ operation: 'create', path, content: Buffer.from(content) })),
    message: 'Initial commit',
    author,
    committer,
    ...(sign && { sign }),
  });
  return { is_empty: false, branches_count: 1 };
}
