import type { NotificationSource, NotificationStatus } from '../database/tables/issue-activity.ts';

/** The status that a word names, ignoring case. */
export function parseStatus(word: string | undefined): NotificationStatus | undefined {
  const lower = word?.toLowerCase();
  return lower === 'unread' || lower === 'read' || lower === 'pinned' ? lower : undefined;
}

/** The statuses among these words; all of them when there is none among them. */
export function parseStatuses(words: readonly string[], otherwise: readonly NotificationStatus[]): readonly NotificationStatus[] {
  return words.length === 0 ? otherwise : words.flatMap((word) => parseStatus(word) ?? []);
}

const SOURCES: readonly NotificationSource[] = ['issue', 'pull', 'commit', 'repository'];

/** The kinds of subjects among these words, ignoring case. */
export function parseSources(words: readonly string[]): readonly NotificationSource[] {
  return SOURCES.filter((source) => words.some((word) => word.toLowerCase() === source));
}
