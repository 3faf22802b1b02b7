import type { Fields } from '../source/fields.ts';
import type { SourceComment } from '../source/source.ts';
import { type CodebaseApi, numberOf } from './client.ts';

/** Notes with a text; others are changes. */
export async function readNotes(api: CodebaseApi, notes: readonly Fields[]): Promise<SourceComment[]> {
  const comments: SourceComment[] = [];
  for (const note of notes) {
    const body = note.text('content');
    if (body === '') continue;
    const createdAt = note.time('created-at');
    const author = await api.person(numberOf(note, 'user-id'));
    comments.push({ kind: 'comment', author, body, createdAt, updatedAt: note.time('updated-at') ?? createdAt, assets: [] });
  }
  return comments;
}
