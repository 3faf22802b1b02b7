import { readdirSync } from 'node:fs';
import type { GitRepository, ObjectFormat } from '../../src/git/repository.ts';
import { open, type PushRules, serveRepository } from './transport.ts';
import { emptyRepository, git, workTree } from './writing.ts';

/** An empty repository that is served, and a work tree whose `origin` it is. */
export interface Served {
  readonly repository: GitRepository;
  /** What its server does with pushes; tests change it as they go. */
  readonly rules: PushRules;
  readonly remote: Awaited<ReturnType<typeof serveRepository>>;
  /** The folder of the work tree, with one commit on main. */
  readonly tree: string;
}

/** Serves a new repository. */
export async function serve(objectFormat: ObjectFormat = 'sha1'): Promise<Served> {
  const repository = await emptyRepository(objectFormat);
  const rules = open();
  const remote = await serveRepository(repository, rules);
  return { repository, rules, remote, tree: workTree(remote.http, objectFormat) };
}

/** The names of all refs. */
export function refsOf(repository: GitRepository): string[] {
  return git(repository, ['for-each-ref', '--format=%(refname)']).split('\n').filter(Boolean);
}

/** What a broken push could leave: quarantines and temporary files. */
export function leftoversOf(repository: GitRepository): string[] {
  try {
    return readdirSync(repository.path, { recursive: true })
      .map(String)
      .filter((name) => /tmp_|\.lock$|incoming/.test(name));
  } catch (error) {
    // A folder went while it was read.
    return [String(error)];
  }
}
