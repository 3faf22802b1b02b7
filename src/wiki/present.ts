import type { Repository } from '../access/find-repository.ts';
import { presentIdentityUtc } from '../code/commits/present.ts';
import type { Context } from '../context.ts';
import type { Commit } from '../git/objects/commits.ts';
import type { Shape } from '../http/schema.ts';
import { repositoryHtmlUrl } from '../repositories/urls.ts';
import { titleOfPage } from './names.ts';
import type { ListedPage, WholePage } from './pages.ts';
import type { WikiCommit, WikiPage, WikiPageMetaData } from './schema.ts';

/** A page in a list on the wire. */
export function presentListedPage(
  { settings }: Pick<Context, 'settings'>,
  repository: Repository,
  { page, commit }: ListedPage,
): Shape<typeof WikiPageMetaData> {
  return {
    title: titleOfPage(page),
    html_url: `${repositoryHtmlUrl(settings, repository)}/wiki/${page}`,
    sub_url: page,
    last_commit: presentWikiCommit(commit),
  };
}

/** A page on the wire. */
export function presentPage(context: Pick<Context, 'settings'>, repository: Repository, page: WholePage): Shape<typeof WikiPage> {
  return {
    ...presentListedPage(context, repository, page),
    content_base64: base64(page.content),
    commit_count: page.commitsCount,
    sidebar: base64(page.sidebar),
    footer: base64(page.footer),
  };
}

/** A commit of a wiki on the wire. */
export function presentWikiCommit({ oid, author, committer, message }: Commit): Shape<typeof WikiCommit> {
  return { sha: oid, author: presentIdentityUtc(author), commiter: presentIdentityUtc(committer), message };
}

function base64(content: Buffer | undefined): string {
  return content?.toString('base64') ?? '';
}
