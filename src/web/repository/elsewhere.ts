import type { Repository } from '../../access/find-repository.ts';
import type { Loaded } from '../../access/load.ts';
import { MovedError } from '../../http/errors.ts';
import type { Requirement, RequirementInput } from '../../http/route.ts';

/** Where the wiki of a repository is, if it is on another server. */
export function externalWiki({ units }: Repository): string | undefined {
  return units.wiki ? undefined : units.ext_wiki?.url || undefined;
}

/** Where the issues of a repository are, if they are on another server. */
export function externalTracker({ units }: Repository): string | undefined {
  return units.issues ? undefined : units.ext_issues?.url || undefined;
}

/** Sends the readers of a wiki on another server there. */
export const wikiHere = elsewhere('wiki-here', 'ext_wiki', externalWiki);
/** Sends the readers of issues on another server there. */
export const issuesHere = elsewhere('issues-here', 'ext_issues', externalTracker);
/** Sends the readers of an issue on another server there, where its URL is known. */
export const issueHere = elsewhere('issue-here', 'ext_issues', externalIssue);

function elsewhere(
  name: string,
  unit: 'ext_wiki' | 'ext_issues',
  find: (repository: Repository, params: RequirementInput['params']) => string | undefined,
): Requirement {
  return {
    name,
    check: ({ repository, access, params }: Loaded) => {
      const url = repository && access?.canRead(unit) ? find(repository, params) : undefined;
      if (url !== undefined) throw new MovedError(url, 303);
    },
  };
}

function externalIssue(repository: Repository, { index = '' }: RequirementInput['params']): string | undefined {
  const { format, style } = repository.units.ext_issues ?? {};
  if (externalTracker(repository) === undefined || !format || (style && style !== 'numeric')) return undefined;
  const values: Readonly<Record<string, string>> = { user: repository.owner.name, repo: repository.name, index };
  return format.replace(/\{(user|repo|index)\}/g, (_, key: string) => values[key] ?? '');
}
