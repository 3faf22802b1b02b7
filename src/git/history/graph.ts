import { createHash } from 'node:crypto';
import type { WorkerPool } from '../../workers/pool.ts';
import type { GitPool } from '../objects/objects.ts';
import { runGit } from '../processes/process.ts';
import { type GitRepository, isObjectId } from '../repository.ts';
import { GraphLanes, type GraphRow, type Lane } from './graph-lanes.ts';
import type * as task from './graph-task.ts';
import { GRAPH_PAGE, type GraphOutline, parseGraphLine } from './graph-task.ts';

/** The commits of a graph. */
export interface GraphSource {
  /** Full ids of the commits (or annotated tags) to start from. */
  readonly heads: readonly string[];
  /** Only commits that changed one of these files or folders; literal paths, not patterns. */
  readonly paths?: readonly string[];
}

/** A page of a graph. */
export interface GraphPage {
  readonly rows: readonly GraphRow[];
  /** The lines from the page before. */
  readonly above: readonly Lane[];
  /** The number of commits in the graph. */
  readonly total: number;
  /** Whether older commits were left out. */
  readonly isCut: boolean;
}

/** Maximum number of commits of a graph. */
const MAX_COMMITS = 50_000;
const TIMEOUT_MS = 20_000;
const TASK = new URL('./graph-task.ts', import.meta.url);
const EMPTY: GraphPage = { rows: [], above: [], total: 0, isCut: false };

/**
 * A page of the graph of a history, {@link GRAPH_PAGE} commits long. The history is read once for the same heads.
 * @param page from 1
 * @throws GitLimitError if reading the history takes too long
 */
export async function readGraph(
  repository: GitRepository,
  { pool, workers }: { pool: GitPool; workers: WorkerPool },
  source: GraphSource,
  page: number,
): Promise<GraphPage> {
  if (source.heads.length === 0) return EMPTY;
  const { list, outline } = await remembered(repository, pool, workers, source);
  const start = outline.starts[page - 1];
  const total = Math.min(outline.total, MAX_COMMITS);
  const isCut = outline.total > MAX_COMMITS;
  if (!start || (page - 1) * GRAPH_PAGE >= total) return { ...EMPTY, total, isCut };
  const lines = list.slice(start.offset, outline.starts[page]?.offset ?? list.length).split('\n');
  const lanes = new GraphLanes(start);
  const rows = lines.filter(Boolean).map((line) => {
    const { oid, parents } = parseGraphLine(line);
    return lanes.place(oid, parents);
  });
  return { rows, above: start.lanes, total, isCut };
}

async function remembered(repository: GitRepository, pool: GitPool, workers: WorkerPool, { heads, paths = [] }: GraphSource) {
  const tips = [...new Set(heads)].sort();
  for (const id of tips) if (!isObjectId(id, repository.objectFormat)) throw new TypeError(`${JSON.stringify(id)} is not an object id`);
  const key = createHash('sha256')
    .update(JSON.stringify([tips, paths]))
    .digest('base64');
  const args = [
    '--literal-pathspecs',
    'rev-list',
    '--topo-order',
    '--parents',
    '--ignore-missing',
    `--max-count=${MAX_COMMITS + 1}`,
    '--stdin',
    '--',
    ...paths,
  ];
  return pool.cache.remember(
    repository,
    `graph ${key}`,
    ({ list, outline }) => list.length + sizeOf(outline),
    async () => {
      const { stdout } = await runGit(args, { cwd: repository.path, timeoutMs: TIMEOUT_MS, input: `${tips.join('\n')}\n` });
      const outline = await workers.run<typeof task>(TASK, stdout);
      return { list: stdout.toString('latin1'), outline };
    },
  );
}

function sizeOf({ starts }: GraphOutline): number {
  return starts.reduce((sum, { lanes }) => sum + 50 + 150 * lanes.length, 0);
}
