import type { ChatPayload, ChatRepository } from '../payload.ts';
import type { Part } from '../text.ts';

/** The repository that a payload is about. */
export function repositoryOf({ repository }: ChatPayload): ChatRepository {
  return repository ?? { full_name: '', html_url: '' };
}

/** The repository in brackets, as most headlines begin. */
export function bracketed(payload: ChatPayload): Part[] {
  const { html_url: url, full_name: text } = repositoryOf(payload);
  return ['[', { url, text }, '] '];
}
