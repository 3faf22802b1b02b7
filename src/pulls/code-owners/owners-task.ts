import { matchingRules } from './match.ts';
import { parseCodeOwners } from './parse.ts';

/** A code owners file, and the changed files, separated by NULs: one text is sent to the worker faster than many. */
export interface OwnersTask {
  readonly text: string;
  readonly paths: string;
}

/** Maximum number of owners that one pull request requests. */
const MAX_OWNERS = 200;

/** The owners that the rules name for the changed files, each once. */
export async function run({ text, paths }: OwnersTask): Promise<string[]> {
  const matching = await matchingRules(parseCodeOwners(text), paths.split('\0'));
  return [...new Set(matching.flatMap(({ owners }) => owners))].slice(0, MAX_OWNERS);
}
