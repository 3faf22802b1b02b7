import type { MarkupContext, MarkupOrigin } from '../../src/markup/context.ts';
import { renderMarkdown } from '../../src/markup/render.ts';

/** A commit that exists in the repository of `inRepository`. */
export const COMMIT = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567';

/** A context in repository `alice/demo` of `https://host/`, where alice and bob may be mentioned. */
export function inRepository(origin: MarkupOrigin = { kind: 'comment' }, more: Partial<MarkupContext> = {}): MarkupContext {
  return {
    rootUrl: 'https://host/',
    absoluteLinks: false,
    origin,
    repository: { owner: 'alice', name: 'demo' },
    lookups: {
      mentionable: (names) => names.filter((name) => name === 'alice' || name === 'bob'),
      commits: (ids) => ids.filter((id) => COMMIT.startsWith(id)),
    },
    ...more,
  };
}

/** Renders and takes away what most tests do not look at. */
export async function render(text: string, context: MarkupContext = inRepository()): Promise<string> {
  const html = await renderMarkdown(text, context);
  return html.replace(/ (dir="auto"|rel="nofollow"|data-markdown-generated-content="")/g, '').trim();
}
