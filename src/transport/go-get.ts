import { findRepositoryOf } from '../access/find-repository.ts';
import { findUser } from '../access/find-user.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { escapePath } from '../code/escape-path.ts';
import type { Context } from '../context.ts';
import { type HttpResponse, html } from '../http/responses.ts';
import { parseGitUrl } from './git-target.ts';
import type { GitRequest } from './smart-http.ts';

/** Whether the Go tool looks for a module (https://go.dev/ref/mod#vcs-find). */
export function isGoGet({ request }: Pick<GitRequest, 'request'>): boolean {
  return new URL(request.url).searchParams.get('go-get') === '1';
}

/**
 * Responds to the Go tool with the clone URL of a repository and the URLs of its code. Every name gets the same response, so nothing
 * private shows.
 */
export async function serveGoGet(context: Context, { params }: GitRequest): Promise<HttpResponse> {
  const { rootUrl } = context.settings.server;
  const { owner, name } = parseGitUrl(params.owner, params.repo);
  const path = `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const module = `${rootUrl.replace(/^https?:\/\//, '')}${path}`;
  const code = `${rootUrl}${path}/src/branch/${escapePath(await branchToRead(context, owner, name))}`;
  const metas = [
    ['go-import', `${module} git ${rootUrl}${path}.git`],
    ['go-source', `${module} _ ${code}{/dir} ${code}{/dir}/{file}#L{line}`],
  ].map(([kind, content = '']) => `<meta name="${kind}" content="${escapeAttribute(content)}">`);
  return html(`<!doctype html>\n<html><head>${metas.join('')}</head><body></body></html>\n`);
}

/** The default branch if it is public, else that of new repositories. */
async function branchToRead(context: Context, ownerName: string, name: string): Promise<string> {
  const owner = await findUser(context.db, ownerName);
  const repository = owner && (await findRepositoryOf(context.db, owner, name));
  const isPublic = repository && (await repositoryAccess(context, repository, null)).canRead('code');
  return isPublic ? repository.default_branch : context.settings.repository.defaultBranch;
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');
}
