import { runGit } from './process.ts';
import { REMOTE_NAME, type Remote, remoteEnvironment, withRemoteErrors } from './remote.ts';
import type { GitRepository } from './repository.ts';

/**
 * Makes the branches and tags of another server's repository those of ours: what it has else is overwritten, or deleted.
 * @throws RemoteError, or what the connection was cut for
 */
export async function pushRemote(repository: GitRepository, remote: Remote): Promise<void> {
  const args = ['push', '--prune', '--force', '--no-verify', '--no-recurse-submodules', REMOTE_NAME];
  const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
  const { timeoutMs, signal } = remote;
  const env = remoteEnvironment(remote, [['gc.auto', '0']]);
  await withRemoteErrors(remote, () =>
    runGit([...args, ...refspecs], { memory: 'unbounded', cwd: repository.path, env, timeoutMs, ...(signal && { signal }) }),
  );
}
