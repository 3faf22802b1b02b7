import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRemoteUrl, type RemoteUrl, RemoteUrlError } from '../../../http/outgoing/remote-url.ts';

/** Size limit of a repository's configuration in bytes. */
const MAX_SIZE = 256 * 1024;

/** The URLs of the remotes in the configuration of a source repository, by name. It is parsed as text: git never sees it. */
export async function readRemotes(folder: string): Promise<ReadonlyMap<string, string>> {
  const file = await open(join(folder, 'config'), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const stats = await file?.stat();
    return stats?.isFile() && stats.size <= MAX_SIZE ? parseRemotes((await file?.readFile('utf8')) ?? '') : new Map();
  } finally {
    await file?.close();
  }
}

function parseRemotes(text: string): Map<string, string> {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of text.split('\n')) {
    const section = /^\s*\[/.test(line);
    if (section) remote = /^\s*\[remote "([\w.-]+)"\]\s*$/.exec(line)?.[1];
    const url = /^\s*url\s*=\s*"?([^\s"]+)"?\s*$/.exec(line)?.[1];
    if (remote !== undefined && url !== undefined) remotes.set(remote, url);
  }
  return remotes;
}

/** The URL of a remote with its credentials if our rules allow it; otherwise the reason why not. */
export function readRemoteUrl(text: string): RemoteUrl | string {
  try {
    return parseRemoteUrl(text);
  } catch (error) {
    if (error instanceof RemoteUrlError) return error.message;
    throw error;
  }
}
