import type { Repository } from '../../access/find-repository.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import type { ChangedFile as File } from '../../git/diff/changes.ts';
import type { Shape } from '../../http/schema.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../repositories/urls.ts';
import type { ChangedFile } from './schema.ts';

const STATUS: Partial<Record<File['status'], string>> = { added: 'added', removed: 'deleted', renamed: 'renamed', copied: 'copied' };

/** Changed files on the wire, as they are at the commit `head` of the repository. */
export function presentChangedFiles(
  { settings }: Pick<Context, 'settings'>,
  repository: Repository,
  files: readonly File[],
  head: string,
): Shape<typeof ChangedFile>[] {
  const page = repositoryHtmlUrl(settings, repository);
  const api = repositoryApiUrl(settings, repository);
  return files.map((file) => {
    const { path, oldPath, status, additions, deletions } = file;
    const escaped = escapePath(path);
    return {
      filename: path,
      ...(status === 'renamed' && oldPath !== undefined && { previous_filename: oldPath }),
      status: STATUS[status] ?? (additions + deletions === 0 ? 'unchanged' : 'changed'),
      additions,
      deletions,
      changes: additions + deletions,
      html_url: `${page}/src/commit/${head}/${escaped}`,
      contents_url: `${api}/contents/${escaped}?ref=${head}`,
      raw_url: `${page}/raw/commit/${head}/${escaped}`,
    };
  });
}
