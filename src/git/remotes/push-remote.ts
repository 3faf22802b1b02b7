import { runGit } from '../processes/process.ts';
import type { GitRepository } from '../repository.ts';
import { REMOTE_NAME, type Remote, remoteEnvironment, withRemoteErrors } from './remote.ts';

/**
 * Makes the branches and tags of a repository on another server equal to ours. Other branches and tags there are deleted.
 * @throws RemoteError, or the reason why the connection was cut
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
