import { setTimeout as sleep } from 'node:timers/promises';
import { allRoutes } from './features.ts';
import { serializerOf } from './http/serialization.ts';

/** Operations whose responses are common and take longest to compile a serializer for. */
export const WARMED_UP: readonly string[] = [
  'repoListPullRequests',
  'repoGetPullRequest',
  'notifyGetList',
  'issueListIssues',
  'issueGetIssue',
  'issueGetComments',
  'repoSearch',
  'repoGet',
  'repoGetAllCommits',
  'repoListBranches',
];

/** Requests come between two pieces. */
const PAUSE_MS = 50;

/** One of each kind, so that all parts of the parser are made. */
const SAMPLE =
  '# A\n\n*b* **c** `d` [e](https://example.com) #1 @f\n\n| g | h |\n|---|---|\n| 1 | 2 |\n\n- [x] i\n\n```ts\nconst j = 1;\n```\n';

/**
 * Loads what renders Markdown and compiles the serializers of common responses, a piece at a time. Otherwise each first request would hold
 * all others for up to a tenth of a second.
 * @param signal ends it when the server stops
 */
export async function warmUp(signal: AbortSignal): Promise<void> {
  try {
    for (const id of WARMED_UP) {
      await sleep(PAUSE_MS, undefined, { signal, ref: false });
      const shape = allRoutes.find((route) => route.id === id)?.responses[200];
      if (shape) serializerOf(shape);
    }
    await sleep(PAUSE_MS, undefined, { signal, ref: false });
    const { CALLS } = await import('./markup/calls.ts');
    await sleep(PAUSE_MS, undefined, { signal, ref: false });
    const context = { rootUrl: 'http://localhost/', absoluteLinks: false, origin: { kind: 'comment' } } as const;
    await CALLS.document(SAMPLE, context, undefined);
    await CALLS.namesInMarkdown(SAMPLE, context, undefined);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
