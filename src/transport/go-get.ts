import type { Context } from '../context.ts';
import { type Answer, html, text } from '../http/answers.ts';
import { parseGitAddress } from './git-target.ts';
import type { GitRequest } from './smart-http.ts';

/** Whether the Go tool asks where a module is (https://go.dev/ref/mod#vcs-find). */
export function isGoGet({ request }: GitRequest): boolean {
  return new URL(request.url).searchParams.get('go-get') === '1';
}

/** Tells the Go tool where a repository is cloned from. It is told of every name alike, so nothing private shows. */
export function answerGoGet({ settings }: Context, { params }: GitRequest): Answer {
  const { rootUrl } = settings.server;
  const { owner, name } = parseGitAddress(params.owner, params.repo);
  const path = `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const module = `${rootUrl.replace(/^https?:\/\//, '')}${path}`;
  const content = `${module} git ${rootUrl}${path}.git`;
  return html(`<!doctype html>\n<html><head><meta name="go-import" content="${escapeAttribute(content)}"></head><body></body></html>\n`);
}

/** `GET /owner/repo` for the Go tool. */
export function answerRepositoryPage(context: Context, given: GitRequest): Answer {
  return isGoGet(given) ? answerGoGet(context, given) : text('404 page not found\n', 404);
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');
}
