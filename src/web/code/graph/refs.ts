import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { Context } from '../../../context.ts';
import type { GitPool } from '../../../git/objects/objects.ts';
import { listRefs, type Ref } from '../../../git/refs/refs.ts';
import { peel } from '../../../git/refs/tags.ts';
import type { GitRepository } from '../../../git/repository.ts';
import type { IconName } from '../../assets/icon-names.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';

/** A branch, tag or pull request of a graph. */
export interface GraphRef {
  /** As in `refs/heads/main`. */
  readonly name: string;
  readonly label: string;
  /** Its page, relative to the repository, escaped. */
  readonly rest: string;
  readonly icon: IconName;
  /** The id of the commit, or of the annotated tag. */
  readonly oid: string;
  readonly commit: string;
}

/** Annotated tags that are resolved to their commits. */
const MAX_PEELED = 500;

/** The refs that a user may see: pull requests only if they may be read. */
export async function graphRefs({ repository, access }: RepositoryVisit, context: Context, withPulls: boolean): Promise<GraphRef[]> {
  const { git } = context;
  const folder = git.locate(repository);
  const kinds = ['refs/heads/', 'refs/tags/', ...(withPulls && access.canRead('pulls') ? ['refs/pull/'] : [])];
  const found: (readonly GraphRef[])[] = [];
  for (const kind of kinds) found.push(await shownRefs(folder, git.pool, await listRefs(folder, git.pool, kind)));
  return found.flat();
}

const shown = new WeakMap<readonly Ref[], readonly GraphRef[]>();

/** Made once for a list, and with pauses: there may be many. */
async function shownRefs(folder: GitRepository, pool: GitPool, refs: readonly Ref[]): Promise<readonly GraphRef[]> {
  const known = shown.get(refs);
  if (known) return known;
  const slice = new TimeSlice();
  const made: GraphRef[] = [];
  let looked = 0;
  for (const ref of refs) {
    if (slice.isOver) await slice.next();
    const { name, oid, peeled } = ref;
    const isLookedUp = peeled === undefined && name.startsWith('refs/tags/') && ++looked <= MAX_PEELED;
    const commit = isLookedUp ? ((await peel(folder, pool, oid))?.oid ?? oid) : (peeled ?? oid);
    const parts = shownRef(ref);
    if (parts) made.push({ ...parts, commit });
  }
  shown.set(refs, made);
  return made;
}

function shownRef({ name, oid }: Ref): Omit<GraphRef, 'commit'> | undefined {
  const [, kind = '', label = ''] = /^refs\/(heads|tags|pull)\/(.*)$/s.exec(name) ?? [];
  const escaped = label.split('/').map(encodeURIComponent).join('/');
  switch (kind) {
    case 'heads':
      return { name, oid, label, rest: `src/branch/${escaped}`, icon: 'git-branch' };
    case 'tags':
      return { name, oid, label, rest: `src/tag/${escaped}`, icon: 'tag' };
    default: {
      const number = /^(\d+)\/head$/.exec(label)?.[1];
      return number === undefined ? undefined : { name, oid, label: `#${number}`, rest: `pulls/${number}`, icon: 'git-pull-request' };
    }
  }
}

/** The refs that the query names by full or short names; all if it names no existing one. */
export function chosenRefs(refs: readonly GraphRef[], names: readonly string[]): { heads: readonly GraphRef[]; isChosen: boolean } {
  if (names.length === 0) return { heads: refs, isChosen: false };
  const requested = new Set(names);
  const chosen = refs.filter(({ name, label }) => requested.has(name) || requested.has(label));
  return chosen.length > 0 ? { heads: chosen, isChosen: true } : { heads: refs, isChosen: false };
}
