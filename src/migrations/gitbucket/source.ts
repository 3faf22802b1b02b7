import { parseRemoteUrl } from '../../http/outgoing/remote-url.ts';
import { apiOf } from '../github/client.ts';
import { sourceOf } from '../github/source.ts';
import type { SourceOptions } from '../source/options.ts';
import { parseProjectUrl } from '../source/project-url.ts';
import type { Source } from '../source/source.ts';

/**
 * A repository on a GitBucket server, whose API is a part of GitHub's: without reactions and reviews. Git finds repositories below `git/`, pages do
 * without.
 */
export async function gitbucketSource(options: SourceOptions): Promise<Source> {
  const { origin, parts } = parseProjectUrl(options.url, 2);
  const names = parts.slice(-2);
  const above = parts.slice(0, -2);
  const server = [origin, ...(above.at(-1) === 'git' ? above.slice(0, -1) : above)].join('/');
  const clone = parseRemoteUrl(`${server}/git/${names.join('/')}.git`);
  return sourceOf(apiOf(options, `${server}/api/v3/`, names, false), clone);
}
