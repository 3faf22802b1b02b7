import { CacheBudget } from '../caches/budget.ts';
import type { Settings } from '../settings.ts';
import type { ParsedMarkdown } from './markdown/markdown.ts';
import { RecentTexts } from './recent-texts.ts';
import type { Rendered } from './rendered.ts';
import type { PendingLookups } from './text/state.ts';

/** A rendering, with what was looked up for it and what came of that. */
interface CachedRendering {
  readonly rendered: Rendered;
  readonly pending: PendingLookups;
  readonly results: string;
}

/** What this thread has parsed. */
export const parsedTexts = new RecentTexts<ParsedMarkdown>(({ html }) => html.length);

/** What it has rendered. */
export const renderings = new RecentTexts<CachedRendering>(({ rendered, results }) => rendered.html.length + results.length);

/** What the caches of this process share. */
export function cacheBudget({ server }: Pick<Settings, 'server'>): CacheBudget {
  const budget = new CacheBudget(server.cacheMemory);
  budget.add(parsedTexts);
  budget.add(renderings);
  return budget;
}
