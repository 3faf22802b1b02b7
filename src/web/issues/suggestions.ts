import { signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { raw } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { canReadIssue, findIssue } from '../../issues/find.ts';
import { listIssues } from '../../issues/list.ts';
import { readWords } from '../../issues/list-query.ts';
import { issuesOrPulls } from '../../issues/requirements.ts';
import { emojiNamed } from '../../markup/text/emoji.ts';
import { listAssignees } from '../../repositories/collaborators/candidates.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';

/** Suggestions at a time. */
const MAX_SUGGESTIONS = 8;

/** A completion: the inserted text, and its description. */
interface Suggestion {
  readonly value: string;
  readonly label: string;
}

/** Completes people (`@`), issues (`#`) and emoji (`:`) for the script of the composer: `?kind=@&q=al`, answered as JSON. */
export const suggestionPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/issues/suggestions',
  needs: [issuesOrPulls, signedIn],
  semaphore: 'searches',
  get: async (visit, context) => {
    const q = (visit.fields.get('q') ?? '').slice(0, 100);
    return raw(JSON.stringify(await suggest(visit, context, visit.fields.get('kind') ?? '', q)), 'application/json');
  },
});

async function suggest(visit: RepositoryVisit, context: Context, kind: string, q: string): Promise<Suggestion[]> {
  if (kind === '@') return people(visit, context, q);
  if (kind === '#') return issues(visit, context, q);
  if (kind !== ':') return [];
  return emojiNamed(q.toLowerCase(), MAX_SUGGESTIONS).map(({ name, emoji }) => ({ value: `:${name}:`, label: `${emoji} ${name}` }));
}

async function people({ repository }: RepositoryVisit, context: Context, q: string): Promise<Suggestion[]> {
  const found = await listAssignees(context, repository, { keyword: q, limit: MAX_SUGGESTIONS });
  return found.map(({ name, full_name }) => ({ value: `@${name}`, label: full_name }));
}

async function issues({ repository, access }: RepositoryVisit, context: Context, q: string): Promise<Suggestion[]> {
  const [issues, pulls] = [access.canRead('issues'), access.canRead('pulls')];
  const isPull = issues && pulls ? undefined : pulls;
  const page = { page: 1, limit: MAX_SUGGESTIONS, offset: 0 };
  const exact = /^\d{1,9}$/.test(q) ? await findIssue(context.db, repository, Number(q)) : undefined;
  const found = (await listIssues(context, repository, { isPull, words: readWords(q) }, page)).issues;
  const all = [...(exact && canReadIssue(access, exact) ? [exact] : []), ...found.filter(({ id }) => id !== exact?.id)];
  return all.slice(0, MAX_SUGGESTIONS).map(({ number, title }) => ({ value: `#${number}`, label: title }));
}
