import type { Context } from '../context.ts';
import type { HttpResponse } from '../http/responses.ts';
import { seeOther, type Visit } from './page.ts';

/** Sends feed readers, which say what they accept, from a page to its feed. The feed decides what they may see. */
export async function forFeedReaders({ request, params }: Visit, context: Context): Promise<HttpResponse | undefined> {
  const accepted = String(request.headers.accept ?? '');
  const type = accepted.includes('application/rss+xml') ? 'rss' : accepted.includes('application/atom+xml') ? 'atom' : undefined;
  if (type === undefined || !context.settings.repository.feedsEnabled) return undefined;
  const { username, owner = '', repo = '' } = params;
  const names = username === undefined ? [owner, repo] : [username];
  return seeOther(context, `${names.map(encodeURIComponent).join('/')}.${type}`, { vary: 'Accept' });
}
