import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Db } from '../../database/database.ts';
import type { RefUpdate } from '../../git/ref-update.ts';
import type { FileIndex, SnapshotRepository } from '../file-index.ts';
import { repositoryPath } from '../layout.ts';
import { refsFile } from './repositories.ts';
import type { BackupSink } from './sink.ts';

/** Moves of refs since a backup began, by repository, the first one first. */
export type RefMoves = ReadonlyMap<number, readonly RefUpdate[]>;

/**
 * What has moved since the moment of the backup: what was recorded, and what is announced and may have moved already. Each move that a
 * copied ref may have is one of them, since it is announced before.
 */
export async function readRefMoves(db: Db): Promise<RefMoves> {
  const [recorded, announced] = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(
      async (db) =>
        [
          await db.selectFrom('backup_ref_moves').select(['repository_id', 'updates']).orderBy('id').execute(),
          await db.selectFrom('ref_moves').select(['repository_id', 'updates']).orderBy('id').execute(),
        ] as const,
    );
  const moves = new Map<number, RefUpdate[]>();
  const add = (repositoryId: number, updates: readonly RefUpdate[]) => {
    const known = moves.get(repositoryId) ?? [];
    known.push(...updates);
    moves.set(repositoryId, known);
  };
  for (const { repository_id, updates } of recorded) add(repository_id, JSON.parse(updates) as RefUpdate[]);
  for (const { repository_id, updates } of announced) add(repository_id, updates);
  return moves;
}

const isNone = (oid: string) => /^0*$/.test(oid);

/**
 * Takes moves back, so that the refs are those of the moment of the backup. Moves that follow closely may be recorded in another order, so
 * they are followed by their ids; those that do not lead to where a ref is came after it was copied, or have not happened.
 * @param refs object ids by name, as they were copied at some time after that moment
 */
export function takeBack(refs: Map<string, string>, updates: readonly RefUpdate[]): void {
  /** For each ref and id where it was before it came there, the last time at the end. */
  const before = new Map<string, string[]>();
  const place = (ref: string, oid: string) => `${isNone(oid) ? '' : oid} ${ref}`;
  for (const { ref, oldId, newId } of updates) {
    const known = before.get(place(ref, newId)) ?? [];
    known.push(oldId);
    before.set(place(ref, newId), known);
  }
  for (const ref of new Set(updates.map((update) => update.ref))) {
    for (;;) {
      const old = before.get(place(ref, refs.get(ref) ?? ''))?.pop();
      if (old === undefined) break;
      if (isNone(old)) refs.delete(ref);
      else refs.set(ref, old);
    }
  }
}

/** Writes the refs of a repository whose files have been copied, as they were at the moment of the backup. */
export async function writeRefs(
  { sink, index }: { sink: BackupSink; index: FileIndex },
  row: SnapshotRepository,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<void> {
  const refs = new Map<string, string>();
  const peeled = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(refsFile(sink, folder)) })) {
    if (line === '') continue;
    const [name = '', oid = '', target = ''] = JSON.parse(line) as string[];
    refs.set(name, oid);
    if (target !== '') peeled.set(oid, target);
  }
  const isWiki = folder.endsWith('.wiki.git');
  if (!isWiki) {
    takeBack(refs, updates);
    for (const [number, head] of index.pulls(row.id)) if (refs.has(pullRef(number))) refs.set(pullRef(number), head);
    removeLaterPulls(refs, index.pulls(row.id));
  }
  await rm(refsFile(sink, folder));
  const branch = String(isWiki ? row.default_wiki_branch : row.default_branch);
  await sink.addText(repositoryPath(folder, 'HEAD'), `ref: refs/heads/${branch}\n`);
  if (refs.size > 0) await sink.addText(repositoryPath(folder, 'packed-refs'), packedRefs(refs, peeled));
}

const pullRef = (number: number) => `refs/pull/${number}/head`;

/** Pull requests that were made after the moment of the backup. */
function removeLaterPulls(refs: Map<string, string>, pulls: ReadonlyMap<number, string>): void {
  for (const name of refs.keys()) {
    const number = /^refs\/pull\/(\d+)\/head$/.exec(name)?.[1];
    if (number !== undefined && !pulls.has(Number(number))) refs.delete(name);
  }
}

/** https://git-scm.com/docs/gitrepository-layout; without a line on order, git sorts by itself. */
function packedRefs(refs: ReadonlyMap<string, string>, peeled: ReadonlyMap<string, string>): string {
  const compare = ([a]: [string, string], [b]: [string, string]) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const lines = [...refs].sort(compare).map(([name, oid]) => {
    const target = peeled.get(oid);
    return target === undefined ? `${oid} ${name}\n` : `${oid} ${name}\n^${target}\n`;
  });
  return `# pack-refs with: sorted \n${lines.join('')}`;
}
