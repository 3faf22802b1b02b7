import { isOrganizationMember } from '../access/find-organization.ts';
import type { Repository } from '../access/find-repository.ts';
import { isOrganizationVisible } from '../access/organization-visibility.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import { resolveCommit } from '../git/refs/revisions.ts';
import type { IssueName, MarkupContext, MarkupLookups } from '../markup/context.ts';
import { issueTitles } from './issue-titles.ts';

/** A repository that the caller may read. */
export interface ReadableRepository {
  readonly repository: Repository;
  readonly access: RepositoryAccess;
}

/** Further lookups of one text find nothing. */
const MAX_LOOKUPS = 200;

/**
 * The lookups of rendering in the instance and, if one is given, in a repository.
 * @param options.titles issues that a list names are shown with their titles, as on pages; API clients know them without
 */
export async function markupContext(
  context: Context,
  readable?: ReadableRepository,
  options: { titles?: boolean } = {},
): Promise<Omit<MarkupContext, 'origin' | 'absoluteLinks'>> {
  const { settings } = context;
  return {
    rootUrl: settings.server.rootUrl,
    workers: context.workers,
    repository: readable && {
      owner: readable.repository.owner.name,
      name: readable.repository.name,
      issueTracker: trackerOf(readable.repository),
      teams: await mentionableTeams(context, readable.repository),
    },
    lookups: {
      ...lookupsFor(context, readable),
      ...(options.titles && { issueTitles: (names: readonly IssueName[]) => issueTitles(context, names) }),
    },
    settings: {
      ...(settings.markup.extraUrlSchemes.length > 0 && { urlSchemes: settings.markup.extraUrlSchemes }),
      ...(!settings.markup.math && {
        math: { inlineDollar: false, inlineParentheses: false, blockDollar: false, blockSquareBrackets: false },
      }),
      breaksInComments: settings.markup.hardLineBreaksInComments,
      highlightMaxSize: settings.markup.highlightMaxSize,
      customEmoji: new Set(settings.ui.customEmojis),
      closeKeywords: settings.issues.closeKeywords,
      reopenKeywords: settings.issues.reopenKeywords,
    },
  };
}

function trackerOf({ units }: Repository): NonNullable<MarkupContext['repository']>['issueTracker'] {
  const tracker = units.ext_issues;
  if (typeof tracker?.format !== 'string' || tracker.format === '') return undefined;
  const style = tracker.style === 'alphanumeric' || tracker.style === 'regexp' ? tracker.style : 'numeric';
  return { format: tracker.format, style, pattern: typeof tracker.pattern === 'string' ? tracker.pattern : undefined };
}

function lookupsFor(context: Context, readable: ReadableRepository | undefined): MarkupLookups {
  return {
    mentionable: (names) => mentionable(context, names),
    ...(readable?.access.canRead('code') && { commits: (ids) => commitsAmong(context, readable.repository, ids) }),
  };
}

/** The teams with access to a repository, for callers who may see them; undefined if no organization owns it. */
async function mentionableTeams({ db, actor }: Context, { id, owner }: Repository): Promise<string[] | undefined> {
  if (owner.type !== 'organization') return undefined;
  if (!actor || !(actor.is_admin || (await isOrganizationMember(db, owner.id, actor.id)))) return [];
  const teams = await db
    .selectFrom('team_repositories')
    .innerJoin('teams', 'teams.id', 'team_repositories.team_id')
    .select('teams.lower_name')
    .where('team_repositories.repository_id', '=', id)
    .execute();
  return teams.map((team) => team.lower_name);
}

/** Who may be mentioned: users and organizations that the caller may see. */
async function mentionable(context: Context, names: readonly string[]): Promise<string[]> {
  const bounded = names.slice(0, MAX_LOOKUPS);
  if (bounded.length === 0) return [];
  const lower = bounded.map((name) => name.toLowerCase());
  const accounts = await context.db.selectFrom('users').selectAll().where('lower_name', 'in', lower).execute();
  const shown = await Promise.all(accounts.map((account) => isOrganizationVisible(context, account, context.actor)));
  const visible = new Set(accounts.filter((_, index) => shown[index]).map((account) => account.lower_name));
  return bounded.filter((name) => visible.has(name.toLowerCase()));
}

async function commitsAmong({ git }: Context, repository: Repository, ids: readonly string[]): Promise<string[]> {
  const folder = git.locate(repository);
  const found = await Promise.all(
    ids.slice(0, MAX_LOOKUPS).map(async (id) => ((await resolveCommit(folder, git.pool, id)) ? id : undefined)),
  );
  return found.filter((id) => id !== undefined);
}
