import type { SourceOptions } from '../source/options.ts';
import { decodedPart, parseProjectUrl } from '../source/project-url.ts';
import type { Source } from '../source/source.ts';
import { callerOf } from './client.ts';
import { listPulls } from './pulls.ts';

/** A repository on AWS CodeCommit, which has pull requests and no issues. */
export async function codecommitSource(options: SourceOptions): Promise<Source> {
  const { origin, parts } = parseProjectUrl(options.url, 1);
  const name = decodedPart(parts.at(-1) ?? '');
  const call = callerOf(options, new URL(origin));
  return {
    repository: async () => {
      const found = (await call('GetRepository', { repositoryName: name })).object('repositoryMetadata');
      return {
        description: found?.text('repositoryDescription', 2048) ?? '',
        defaultBranch: found?.text('defaultBranch', 255) ?? '',
        clone: options.url,
      };
    },
    pulls: (cursor) => listPulls(call, name, cursor),
  };
}
