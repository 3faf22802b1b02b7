import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitRepository, whileWriting } from '../repository.ts';

/*
 * A repository's own server-side scripts, which run with each push. They can do what the server can do. They have a folder of their own:
 * scripts in the `hooks` folder of a repository are never run.
 */

/** The hooks that a repository may have, in the order in which they run. */
export const CUSTOM_HOOKS = ['pre-receive', 'update', 'post-receive'] as const;

/** One of {@link CUSTOM_HOOKS}. */
export type CustomHook = (typeof CUSTOM_HOOKS)[number];

/** Their folder in the repository. */
export const CUSTOM_HOOKS_FOLDER = 'custom_hooks';

/** Whether `name` is a hook that a repository may have. */
export function isCustomHook(name: string): name is CustomHook {
  return CUSTOM_HOOKS.some((hook) => hook === name);
}

/** The hooks that the repository has. */
export function customHooksOf(repository: GitRepository): CustomHook[] {
  try {
    return readdirSync(join(repository.path, CUSTOM_HOOKS_FOLDER)).filter(isCustomHook);
  } catch {
    return [];
  }
}

/** The text of a hook; undefined if the repository does not have it. */
export async function readCustomHook(repository: GitRepository, hook: CustomHook): Promise<string | undefined> {
  try {
    return await readFile(pathOf(repository, hook), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Enables a hook from the next push on; an empty one is deleted. Line ends become those of Unix. */
export async function writeCustomHook(repository: GitRepository, hook: CustomHook, text: string): Promise<void> {
  if (text.trim() === '') await removeCustomHook(repository, hook);
  else await whileWriting(repository, () => write(repository, hook, text));
}

async function write(repository: GitRepository, hook: CustomHook, text: string): Promise<void> {
  const path = pathOf(repository, hook);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(join(repository.path, CUSTOM_HOOKS_FOLDER), { recursive: true });
  await writeFile(temporary, text.replaceAll('\r', ''), { mode: 0o755 });
  await rename(temporary, path);
}

/** Deletes a hook; returns whether there was one. */
export async function removeCustomHook(repository: GitRepository, hook: CustomHook): Promise<boolean> {
  try {
    await whileWriting(repository, () => rm(pathOf(repository, hook)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function pathOf(repository: GitRepository, hook: CustomHook): string {
  return join(repository.path, CUSTOM_HOOKS_FOLDER, hook);
}
