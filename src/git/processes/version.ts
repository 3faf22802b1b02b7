import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { StartError } from '../../start-error.ts';
import { gitEnvironment, isGitMissing } from './process.ts';

/** The oldest git that has all commands and options. */
const MINIMUM = [2, 39] as const;
const TIMEOUT_MS = 10_000;

/**
 * Returns the version of the git program.
 * @returns such as `2.39.5`
 * @throws StartError when there is no git, or it is too old
 */
export async function checkGit(): Promise<string> {
  const version = await gitVersion();
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
    throw new StartError(`Git ${version} is too old: install Git ${MINIMUM.join('.')} or newer`);
  }
  return version;
}

/** Whether git is installed, without starting it. */
export async function isGitThere(): Promise<boolean> {
  const folders = (gitEnvironment().PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) => access(join(folder, 'git'), constants.X_OK));
  return Promise.any(found).then(
    () => true,
    () => false,
  );
}

function gitVersion(): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('git', ['--version'], { env: gitEnvironment(), timeout: TIMEOUT_MS }, (error, stdout) => {
      const version = /^git version (\d+(?:\.\d+)+)/.exec(stdout)?.[1];
      if (!error && version !== undefined) return resolve(version);
      const needed = `install Git ${MINIMUM.join('.')} or newer`;
      if (isGitMissing(error)) reject(new StartError(`the program git is not in PATH: ${needed}`, { cause: error }));
      else reject(new StartError(`git --version failed: ${needed}`, { cause: error }));
    });
  });
}
