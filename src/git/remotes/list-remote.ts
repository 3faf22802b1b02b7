import { runGit } from '../processes/process.ts';
import { isValidRefName } from '../refs/ref-names.ts';
import { isObjectId, OBJECT_FORMATS, type ObjectFormat } from '../repository.ts';
import { REMOTE_NAME, type Remote, remoteEnvironment, withRemoteErrors } from './remote.ts';

/** The refs of a repository on another server. */
export interface RemoteRefs {
  /** Object ids by full name; invalid names are left out. */
  readonly refs: ReadonlyMap<string, string>;
  /** The ref that HEAD points to, such as `refs/heads/main`; undefined if the server does not say. */
  readonly head: string | undefined;
  /** Undefined if there are no refs. */
  readonly objectFormat: ObjectFormat | undefined;
}

/** Size limit of all refs of one repository in bytes. */
const MAX_OUTPUT = 128 * 1024 * 1024;

/**
 * Lists the refs of a repository on another server.
 * @throws RemoteError, or the reason why the connection was cut
 */
export async function listRemote(remote: Remote): Promise<RemoteRefs> {
  return await withRemoteErrors(remote, async () => {
    const { timeoutMs, signal } = remote;
    const { stdout } = await runGit(['ls-remote', '--symref', '--end-of-options', REMOTE_NAME], {
      cwd: '/',
      env: remoteEnvironment(remote),
      timeoutMs,
      maxOutput: MAX_OUTPUT,
      ...(signal && { signal }),
    });
    return parseRefs(stdout.toString('utf8'));
  });
}

/** Parses lines `<id> TAB <name>`; before that of HEAD there is `ref: <name> TAB HEAD`. */
function parseRefs(text: string): RemoteRefs {
  const refs = new Map<string, string>();
  let head: string | undefined;
  let objectFormat: ObjectFormat | undefined;
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t');
    if (name === 'HEAD' && value.startsWith('ref: ')) head = value.slice('ref: '.length);
    objectFormat ??= OBJECT_FORMATS.find((format) => isObjectId(value, format));
    if (name.startsWith('refs/') && !name.endsWith('^{}') && isValidRefName(name)) refs.set(name, value);
  }
  return { refs, head: head !== undefined && isValidRefName(head) ? head : undefined, objectFormat };
}
