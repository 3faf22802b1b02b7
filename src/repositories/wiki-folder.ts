import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { createRepository, RepositoryExistsError } from '../git/create.ts';
import { type GitRepository, whileWriting } from '../git/repository.ts';

/** The folder of a wiki for somebody who is about to write to it: it is made with the first page, or the first push. */
export async function wikiFolderForWriting({ git }: Pick<Context, 'git'>, repository: Repository): Promise<GitRepository> {
  const folder = git.locateWiki(repository);
  try {
    const options = { objectFormat: folder.objectFormat, defaultBranch: repository.default_wiki_branch };
    await whileWriting(folder, () => createRepository(folder.path, options));
    return folder;
  } catch (error) {
    if (error instanceof RepositoryExistsError) return folder;
    throw error;
  }
}
