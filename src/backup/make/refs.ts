import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Db } from '../../database/database.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';
import type { FileIndex, SnapshotRepository } from '../file-index.ts';
import { repositoryPath } from '../layout.ts';
import { refsFile } from './repositories.ts';
import type { BackupSink } from './sink.ts';

/** Moves of refs of a repository since a backup began. */
export interface RefMoves {
  /** Roughly in the order of creation. */
  readonly recorded: RefUpdate[];
  /** Moves that may have happened but are not recorded yet. */
  readonly announced: RefUpdate[];
}

/**
 * Moves of refs since the snapshot, by repository. They include every move that a copied ref may have made, since it is announced
 * before.
 */
export async function readRefMoves(db: Db): Promise<ReadonlyMap<number, RefMoves>> {
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
  const moves = new Map<number, RefMoves>();
  const of = (repositoryId: number) => {
    const known = moves.get(repositoryId) ?? { recorded: [], announced: [] };
    moves.set(repositoryId, known);
    return known;
  };
  for (const { repository_id, updates } of recorded) of(repository_id).recorded.push(...(JSON.parse(updates) as RefUpdate[]));
  for (const { repository_id, updates } of announced) of(repository_id).announced.push(...updates);
  return moves;
}

/** A move of one ref; an empty text means no ref. */
type Step = readonly [from: string, to: string];

/**
 * Reverts moves, so that the refs are those of the snapshot. The moves of a ref are a walk from there: it began where more
 * moves begin than end. Moves in quick succession may be recorded in another order, so the order only counts for a closed walk.
 * @param refs object ids by name, as they were copied at some time after the snapshot
 */
export function takeBack(refs: Map<string, string>, { recorded, announced }: RefMoves): void {
  const steps = new Map<string, { recorded: Step[]; all: Step[] }>();
  const note = ({ ref, oldId, newId }: RefUpdate, isRecorded: boolean) => {
    const known = steps.get(ref) ?? { recorded: [], all: [] };
    const step = [idOrNone(oldId), idOrNone(newId)] as const;
    known.all.push(step);
    if (isRecorded) known.recorded.push(step);
    steps.set(ref, known);
  };
  for (const update of recorded) note(update, true);
  for (const update of announced) note(update, false);
  for (const [ref, { recorded, all }] of steps) {
    const now = refs.get(ref) ?? '';
    // An announced move that did not happen neither starts nor ends here.
    if (!all.some((step) => step.includes(now))) continue;
    const start = startOf(all) ?? startOf(recorded) ?? recorded[0]?.[0] ?? now;
    if (start === '') refs.delete(ref);
    else refs.set(ref, start);
  }
}

const idOrNone = (oid: string) => (/^0+$/.test(oid) ? '' : oid);

/** Where a walk began; undefined when it came back, or is none. */
function startOf(steps: readonly Step[]): string | undefined {
  const degrees = new Map<string, number>();
  for (const [from, to] of steps) {
    degrees.set(from, (degrees.get(from) ?? 0) + 1);
    degrees.set(to, (degrees.get(to) ?? 0) - 1);
  }
  const starts = [...degrees].filter(([, degree]) => degree > 0);
  return starts.length === 1 ? starts[0]?.[0] : undefined;
}

/** Writes the refs of a repository whose files have been copied, as they were in the snapshot. */
export async function writeRefs(
  { sink, index }: { sink: BackupSink; index: FileIndex },
  row: SnapshotRepository,
  folder: string,
  moves: RefMoves | undefined,
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
    if (moves) takeBack(refs, moves);
    for (const [number, head] of index.pulls(row.id)) if (refs.has(pullRef(number))) refs.set(pullRef(number), head);
    removeLaterPulls(refs, index.pulls(row.id));
  }
  await rm(refsFile(sink, folder));
  const branch = String(isWiki ? row.default_wiki_branch : row.default_branch);
  await sink.addText(repositoryPath(folder, 'HEAD'), `ref: refs/heads/${branch}\n`);
  if (refs.size > 0) await sink.addText(repositoryPath(folder, 'packed-refs'), packedRefs(refs, peeled));
}

const pullRef = (number: number) => `refs/pull/${number}/head`;

/** Pull requests that were created after the snapshot. */
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
