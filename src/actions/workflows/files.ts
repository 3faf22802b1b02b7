import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { readRef } from '../../git/refs/refs.ts';
import { peelToCommit } from '../../git/refs/tags.ts';
import type { GitRepository } from '../../git/repository.ts';
import { findEntry, readTree } from '../../git/trees/trees.ts';
import type { WorkflowFile, WorkflowResult } from './file/workflow-task.ts';
import { readInWorker } from './in-worker.ts';

/** The workflow files of a commit. */
export interface WorkflowFolder {
  readonly commit: string;
  /** Such as `.gitea/workflows`. */
  readonly folder: string;
  readonly files: readonly StoredWorkflow[];
}

/** A workflow file of a commit. */
export interface StoredWorkflow {
  /** Its path within the folder, which is its id as well. */
  readonly name: string;
  readonly oid: string;
}

/** Files of one commit, and folders within the folder; the rest is left out. */
const MAX_FILES = 500;
const MAX_FOLDERS = 100;
const MAX_DEPTH = 10;
/** Size limit of one file in bytes. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Bytes that are read in a worker at once. */
const MAX_BATCH = 4 * 1024 * 1024;

/** The commit of a ref, after tags are followed; undefined where there is none. */
export async function commitOfRef({ git }: Context, repository: Repository, ref: string): Promise<string | undefined> {
  const folder = git.locate(repository);
  const found = await readRef(folder, git.pool, ref);
  return found && (await peelToCommit(folder, git.pool, found.peeled ?? found.oid));
}

/** The workflow files of a commit: those of the first folder that it has. Undefined without such a folder. */
export async function workflowsOf(context: Context, repository: Repository, commitId: string): Promise<WorkflowFolder | undefined> {
  const { git, settings } = context;
  const place = git.locate(repository);
  const commit = await readCommit(place, git.pool, commitId);
  if (!commit) return undefined;
  for (const folder of settings.actions.workflowFolders) {
    const entry = await findEntry(place, git.pool, commit.tree, folder);
    if (entry?.type === 'tree') return { commit: commitId, folder, files: await filesIn(context, place, entry.oid) };
  }
  return undefined;
}

async function filesIn({ git }: Context, place: GitRepository, tree: string): Promise<StoredWorkflow[]> {
  const found: StoredWorkflow[] = [];
  let folders = 0;
  const look = async (oid: string, prefix: string, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH || ++folders > MAX_FOLDERS) return;
    for (const { name, type, oid: id, mode } of (await readTree(place, git.pool, oid)) ?? []) {
      if (found.length >= MAX_FILES) return;
      if (type === 'tree') await look(id, `${prefix}${name}/`, depth + 1);
      else if (type === 'blob' && mode !== '120000' && /\.ya?ml$/.test(name)) found.push({ name: prefix + name, oid: id });
    }
  };
  await look(tree, '', 0);
  return found;
}

/** The text of a workflow file; undefined for one that is too large. */
export async function contentOf({ git }: Context, repository: Repository, { oid }: StoredWorkflow): Promise<string | undefined> {
  const place = git.locate(repository);
  const info = await git.pool.info(place, oid);
  if (!info || info.size > MAX_FILE_BYTES) return undefined;
  return (await git.pool.read(place, oid, { maxSize: MAX_FILE_BYTES }))?.data.toString('utf8');
}

/** A workflow file with what it says, or what is wrong with it. */
export interface ReadWorkflow extends StoredWorkflow {
  readonly result: WorkflowResult<WorkflowFile>;
}

/** Reads workflow files, in their order. What has been read is kept by the id of its text. */
export async function readWorkflows(context: Context, repository: Repository, files: readonly StoredWorkflow[]): Promise<ReadWorkflow[]> {
  const { cache } = context.git.pool;
  const place = context.git.locate(repository);
  const known = new Map<string, WorkflowResult<WorkflowFile>>();
  let batch: { oid: string; text: string }[] = [];
  const readBatch = async () => {
    const results = await readInWorker(
      context,
      batch.map(({ text }) => text),
    );
    batch.forEach(({ oid }, at) => {
      const result = results[at] ?? { name: '', problem: 'the file was not read' };
      known.set(oid, result);
      cache.set(place, `workflow ${oid}`, result, 200 + 2 * JSON.stringify(result).length);
    });
    batch = [];
  };
  for (const file of files) {
    const cached = cache.get<WorkflowResult<WorkflowFile>>(place, `workflow ${file.oid}`);
    if (cached) known.set(file.oid, cached);
    if (known.has(file.oid) || batch.some(({ oid }) => oid === file.oid)) continue;
    const text = await contentOf(context, repository, file);
    if (text === undefined) known.set(file.oid, { name: '', problem: 'the file is too large' });
    else batch.push({ oid: file.oid, text });
    if (batch.reduce((sum, one) => sum + one.text.length, 0) > MAX_BATCH) await readBatch();
  }
  await readBatch();
  return files.map((file) => ({ ...file, result: known.get(file.oid) ?? { name: '', problem: 'the file was not read' } }));
}
