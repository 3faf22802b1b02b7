import type { HistoryFilter } from '../../../git/history/log.ts';

/** Length limit of a search in characters, and maximum number of its words. */
export const MAX_SEARCH = 200;
const MAX_WORDS = 8;

/**
 * Parses a search in a history: `author:name` and `committer:name` filter by people, `after:2026-01-31` and `before:` by the day; all
 * other words must be in the message.
 */
export function searchOf(query: string): Pick<HistoryFilter, 'author' | 'committer' | 'since' | 'until' | 'words'> {
  const words = query.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const filterOf = (name: string) => words.findLast((word) => word.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1);
  const people = { author: filterOf('author'), committer: filterOf('committer') };
  const times = { since: timeOf(filterOf('after')), until: timeOf(filterOf('before')) };
  const rest = words.filter((word) => !/^(?:author|committer|after|before):/i.test(word));
  const { author, committer } = people;
  const { since, until } = times;
  return {
    ...(author && { author }),
    ...(committer && { committer }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(rest.length > 0 && { words: rest }),
  };
}

/** A date or time in seconds; undefined for an invalid one. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d{2}/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) || time < 0 ? undefined : Math.floor(time / 1000);
}
