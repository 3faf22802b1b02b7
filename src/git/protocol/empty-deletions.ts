import { isValidRefName } from '../refs/ref-names.ts';
import { storedRefs } from '../refs/stored-refs.ts';
import type { GitRepository } from '../repository.ts';
import type { PushCommand } from './push-commands.ts';

/** Whether a command deletes a ref that did not exist for the client, as `git push origin :refs/heads/none` does. Git reports it as deleted. */
export function deletesNothing({ before, after }: PushCommand): boolean {
  return /^0+$/.test(before) && /^0+$/.test(after);
}

/** The first ref of such commands that exists by now: git would delete it whatever it is, and not tell what it was. */
export async function firstThatExists(repository: GitRepository, commands: readonly PushCommand[]): Promise<string | undefined> {
  // Git refuses invalid names by itself.
  const names = commands.filter((command) => deletesNothing(command) && isValidRefName(command.ref)).map(({ ref }) => ref);
  if (names.length === 0) return undefined;
  const stored = await storedRefs(repository, names);
  return names.find((name) => stored.has(name));
}
