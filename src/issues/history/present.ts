import type { Context } from '../../context.ts';
import { findPeople, presentPeople } from '../people.ts';
import type { VersionEntry } from './versions.ts';

/** A version in the list of a page. */
export type ShownVersion = Omit<VersionEntry, 'author_id'> & { readonly author: ReturnType<ReturnType<typeof presentPeople>> };

/** Versions with their authors, by the same keys. */
export async function presentVersions(
  context: Context,
  byText: ReadonlyMap<number, readonly VersionEntry[]>,
): Promise<ReadonlyMap<number, readonly ShownVersion[]>> {
  if (byText.size === 0) return new Map();
  const ids = [...byText.values()].flatMap((versions) => versions.map(({ author_id: id }) => id));
  const author = presentPeople(context, await findPeople(context.db, ids, [context.actor]), null);
  const shown = ({ author_id: id, ...version }: VersionEntry): ShownVersion => ({ ...version, author: author(id) });
  return new Map([...byText].map(([id, versions]) => [id, versions.map(shown)]));
}
