import type { Context } from '../../../context.ts';
import { listRefs, type Ref } from '../../../git/refs.ts';
import { peel } from '../../../git/tags.ts';
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
  const found = (await Promise.all(kinds.map((kind) => listRefs(folder, git.pool, kind)))).flat();
  let looked = 0;
  const commitOf = async ({ name, oid, peeled }: Ref): Promise<string> => {
    if (peeled !== undefined || !name.startsWith('refs/tags/') || ++looked > MAX_PEELED) return peeled ?? oid;
    return (await peel(folder, git.pool, oid))?.oid ?? oid;
  };
  return Promise.all(found.flatMap((ref) => shownRef(ref) ?? []).map(async (shown) => ({ ...shown, commit: await commitOf(shown.ref) })));
}

function shownRef(ref: Ref): (Omit<GraphRef, 'commit'> & { ref: Ref }) | undefined {
  const { name, oid } = ref;
  const [, kind = '', label = ''] = /^refs\/(heads|tags|pull)\/(.*)$/s.exec(name) ?? [];
  const escaped = label.split('/').map(encodeURIComponent).join('/');
  switch (kind) {
    case 'heads':
      return { ref, name, oid, label, rest: `src/branch/${escaped}`, icon: 'git-branch' };
    case 'tags':
      return { ref, name, oid, label, rest: `src/tag/${escaped}`, icon: 'tag' };
    default: {
      const number = /^(\d+)\/head$/.exec(label)?.[1];
      return number === undefined ? undefined : { ref, name, oid, label: `#${number}`, rest: `pulls/${number}`, icon: 'git-pull-request' };
    }
  }
}

/** The refs that the query names by full or short names; all if it names no existing one. */
export function chosenRefs(refs: readonly GraphRef[], names: readonly string[]): { heads: readonly GraphRef[]; isChosen: boolean } {
  const requested = new Set(names);
  const chosen = refs.filter(({ name, label }) => requested.has(name) || requested.has(label));
  return chosen.length > 0 ? { heads: chosen, isChosen: true } : { heads: refs, isChosen: false };
}
