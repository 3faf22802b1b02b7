import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepository } from '../create.ts';
import { inQuarantine } from '../objects/quarantine.ts';
import { runGit } from '../processes/process.ts';
import { HARMLESS_FAULTS, PULL_REFS } from '../protocol/receive-config.ts';
import { type PackedRef, readPackedRefs } from '../refs/packed-refs.ts';
import { isValidRefName } from '../refs/ref-names.ts';
import type { GitRepository } from '../repository.ts';
import { REMOTE_NAME, type Remote, remoteEnvironment, withRemoteErrors } from './remote.ts';

/**
 * Which refs of a repository are copied: all except those of pull requests, all with the heads of pull requests, or only branches and tags.
 */
export type RefChoice = 'all' | 'all-and-pulls' | 'branches-and-tags';

/** Options of {@link fetchRemote}. */
export interface FetchRemoteOptions {
  readonly refs: RefChoice;
  /** Called with each line of progress, such as `Receiving objects:  12% (120/1000)`. */
  readonly onProgress?: (line: string) => void;
  /** Called when all objects are in the quarantine; throws to refuse them. */
  readonly check?: (refs: ReadonlyMap<string, PackedRef>, quarantined: GitRepository) => Promise<void>;
}

const REFSPECS: Readonly<Record<RefChoice, readonly string[]>> = {
  all: ['+refs/*:refs/*', `^${PULL_REFS}*`],
  // The merge results of pull requests are of no use elsewhere.
  'all-and-pulls': ['+refs/*:refs/*', `^${PULL_REFS}*/merge`],
  'branches-and-tags': ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
};

const FETCH_CONFIG: readonly (readonly [string, string])[] = [
  ['fetch.fsckObjects', 'true'],
  ...HARMLESS_FAULTS.map((fault) => [`fetch.fsck.${fault}`, 'ignore'] as const),
  // The transfer fails after so many seconds without data.
  ['http.lowSpeedLimit', '1'],
  ['http.lowSpeedTime', '300'],
];

/**
 * Copies the objects of another server's repository, and returns its refs. It moves no ref here: that is left to the caller. The refs are
 * fetched into an empty repository, so that refs and objects belong together. The objects are checked as in a push, and stay in a
 * quarantine until then, which cleanup deletes if the process ends.
 * @returns refs by full name, in git's order
 * @throws RemoteError, or the reason why the connection was cut
 */
export async function fetchRemote(
  repository: GitRepository,
  remote: Remote,
  options: FetchRemoteOptions,
): Promise<ReadonlyMap<string, PackedRef>> {
  return await inQuarantine(repository, async (quarantine) => {
    const { GIT_QUARANTINE_PATH: _, ...objects } = quarantine.env;
    const { objectFormat } = repository;
    const scratch = await createRepository(join(quarantine.folder, 'fetch.git'), { objectFormat, defaultBranch: 'main' });
    // git does not create the folder of packs.
    await mkdir(join(quarantine.folder, 'pack'), { recursive: true });
    const common = { cwd: scratch.path, timeoutMs: remote.timeoutMs, ...(remote.signal && { signal: remote.signal }) };
    const { onProgress } = options;
    const args = ['fetch', '--no-write-fetch-head', '--no-tags', '--no-auto-maintenance', '--no-recurse-submodules', '--refmap='];
    args.push(onProgress ? '--progress' : '--quiet', REMOTE_NAME, ...REFSPECS[options.refs]);
    const env = { ...remoteEnvironment(remote, FETCH_CONFIG), ...objects };
    await withRemoteErrors(remote, () => runGit(args, { ...common, env, ...(onProgress && { onStderr: byLine(onProgress) }) }));
    await runGit(['pack-refs', '--all'], { ...common, env: objects });
    const refs = new Map<string, PackedRef>();
    for (const ref of readPackedRefs(scratch.path).below('refs/')) {
      if (isMirrored(ref.name) || (options.refs === 'all-and-pulls' && isPullHead(ref.name))) refs.set(ref.name, ref);
    }
    await options.check?.(refs, { path: repository.path, objectFormat, quarantine: objects });
    return refs;
  });
}

/** Whether a ref of another server may be copied to a repository here. */
export function isMirrored(name: string): boolean {
  if (name.startsWith(PULL_REFS) || name.startsWith('refs/for/') || !isValidRefName(name)) return false;
  return !/^refs\/(heads|tags)\/(-|HEAD$)/.test(name);
}

function isPullHead(name: string): boolean {
  return name.startsWith(PULL_REFS) && /^[1-9]\d*\/head$/.test(name.slice(PULL_REFS.length));
}

/** Passes on git's output line by line; progress lines end with a carriage return. */
function byLine(handle: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split(/[\r\n]+/);
    rest = (lines.pop() ?? '').slice(-1000);
    for (const line of lines) if (line.trim() !== '') handle(line.trim().slice(0, 200));
  };
}
