import type { MarkupContext } from './context.ts';
import type { Rendered } from './rendered.ts';
import { hasLookups, runLookups } from './run-lookups.ts';
import { type PendingLookups, TextState } from './text/state.ts';
import { renderings } from './text-caches.ts';

/** Longer texts are rendered in workers, and those that become more than this take room from many others. */
const MAX_TEXT = 8192;
const MAX_HTML = 64 * 1024;

/**
 * What the rendering of a text as Markdown depends on, as a key; undefined for one that is not kept. What lookups find is not part of it: it
 * depends on the reader and changes.
 */
export function renderingKey(text: string, context: MarkupContext): string | undefined {
  const { rootUrl, absoluteLinks, origin, repository, settings, lookups } = context;
  if (text.length > MAX_TEXT || settings?.mediaUrl) return undefined;
  const parts = [rootUrl, absoluteLinks, origin, Object.keys(lookups ?? {})].map((part) => JSON.stringify(part));
  return [...parts, keyOf(repository), keyOf(settings), text].join('\n');
}

/** Many texts of a page have the same repository and settings. */
const keys = new WeakMap<object, string>();

function keyOf(part: object | undefined): string {
  if (!part) return '';
  const known = keys.get(part);
  if (known !== undefined) return known;
  const key = JSON.stringify(part, (_, value: unknown) => (value instanceof Set ? [...value] : value));
  keys.set(part, key);
  return key;
}

/** The rendering that is kept, if all lookups find the same for this reader now. */
export async function cachedRendering(key: string, context: MarkupContext): Promise<Rendered | undefined> {
  const kept = renderings.get(key);
  if (!kept) return undefined;
  if (hasLookups(kept.pending)) {
    const state = new TextState(context);
    await runLookups(kept.pending, state);
    if (resultsOf(state) !== kept.results) return undefined;
  }
  return { ...kept.rendered, headings: [...kept.rendered.headings] };
}

/** Keeps a rendering for the next reader. */
export function cacheRendering(key: string, rendered: Rendered, pending: PendingLookups, state: TextState): void {
  if (rendered.html.length > MAX_HTML) return;
  renderings.set(key, {
    rendered: { ...rendered, headings: [...rendered.headings] },
    pending,
    results: hasLookups(pending) ? resultsOf(state) : '',
  });
}

function resultsOf({ mentionable, commits, issueTitles, codePreviews }: TextState): string {
  return JSON.stringify([[...mentionable], [...commits], [...issueTitles], [...codePreviews]]);
}
