import { setTimeout as sleep } from 'node:timers/promises';

/** Requests come between two pieces. */
const PAUSE_MS = 50;

/** One of each kind, so that all parts of the parser are made. */
const SAMPLE =
  '# A\n\n*b* **c** `d` [e](https://example.com) #1 @f\n\n| g | h |\n|---|---|\n| 1 | 2 |\n\n- [x] i\n\n```ts\nconst j = 1;\n```\n';

/**
 * Loads what renders Markdown, a piece at a time. Otherwise the first request for it would hold all others for up to a tenth of a second.
 * @param signal ends it when the server stops
 */
export async function warmUp(signal: AbortSignal): Promise<void> {
  try {
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
