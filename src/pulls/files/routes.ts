import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { type Changes, changedFiles, type Whitespace } from '../../git/diff/changes.ts';
import { GitLimitError } from '../../git/processes/process.ts';
import { unprocessable } from '../../http/errors.ts';
import { pageOf } from '../../http/paging.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { type Pull, pullOf } from '../find.ts';
import { paged } from '../paging.ts';
import { pullRange } from '../range.ts';
import { pullIndex, pullsOn } from '../requirements.ts';
import { presentChangedFiles } from './present.ts';
import { ChangedFile } from './schema.ts';

const WHITESPACE: readonly Whitespace[] = ['ignore-all', 'ignore-change', 'ignore-eol'];

/** The files that pull requests change. */
export const pullFileRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/:index/files',
    id: 'repoGetPullRequestFiles',
    summary: 'Lists the files that a pull request changes',
    scope: 'repository',
    parameters: pullIndex,
    needs: pullsOn,
    query: {
      'skip-to': query.string('the path of the file to begin with'),
      whitespace: query.string('which differences in white space do not count', { enum: [...WHITESPACE, 'show-all'] }),
      ...pageQuery,
    },
    responses: { 200: array(ref(ChangedFile)) },
    handle: async ({ query, request, ...input }, context) => {
      const page = pageOf(context, query);
      const pull = await pullOf(input, context);
      const whitespace = WHITESPACE.find((name) => name === query.whitespace);
      const { files } = await changesOf(context, pull, whitespace);
      const skipTo = query['skip-to'];
      const first = skipTo ? files.findIndex(({ path }) => path === skipTo) : 0;
      const shown = first < 0 ? [] : files.slice(first + page.offset, first + page.offset + page.limit);
      return paged(presentChangedFiles(context, input.repository, shown, pull.head_id), files.length, page, request.url);
    },
  }),
];

async function changesOf(context: Context, pull: Pull, whitespace: Whitespace | undefined): Promise<Changes> {
  const { git } = context;
  const { base, mergeBase, head } = await pullRange(context, pull);
  const from = mergeBase ?? base;
  if (from === '') return { files: [], additions: 0, deletions: 0 };
  try {
    return await changedFiles(git.locate(pull.issue.repository), git.pool, from, head, whitespace ? { whitespace } : {});
  } catch (error) {
    if (error instanceof GitLimitError) throw unprocessable('the changes of the pull request are too many to be listed');
    throw error;
  }
}
