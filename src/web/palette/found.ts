import { type LoadedRepository, loadRepository } from '../../access/load.ts';
import type { Context } from '../../context.ts';
import { HttpError, MovedError } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { canReadIssue, findIssue } from '../../issues/find.ts';
import { listIssues } from '../../issues/list.ts';
import { readWords } from '../../issues/list-query.ts';
import { presentIssues } from '../../issues/present.ts';
import { searchIssues } from '../../issues/search/search.ts';
import { listOrganizationsOf } from '../../organizations/list.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { repositoryPath } from '../repository/frame.ts';
import { localUrl, path, type View } from '../view.ts';
import type { Entry } from './entries.ts';
import { fuzzyScore } from './match.ts';

/** Own repositories and organizations that letters are looked for in, latest first. */
const MAX_OWN = 100;
/** Issues and repositories of others that a word finds. */
const MAX_FOUND = 8;
/** Letters from which on words are searched for. */
const MIN_WORD = 2;

/** The repository of the page on which the palette was opened, if the reader may see it. @param at the path of that page from the root */
export async function repositoryAt(context: Context, at: string, url: URL): Promise<LoadedRepository | undefined> {
  const [owner = '', repo = ''] = at.split('/', 2);
  if (owner === '' || repo === '') return undefined;
  try {
    return await loadRepository({ owner, repo }, context, url);
  } catch (error) {
    if (error instanceof HttpError || error instanceof MovedError) return undefined;
    throw error;
  }
}

/** The reader's repositories and organizations, and others with the word in their names. */
export async function findPlaces(view: View, context: Context, q: string): Promise<Entry[]> {
  const { user } = view;
  const order = { by: 'updated', direction: 'desc' } as const;
  const own = user && (await searchRepositories(context, { ownerId: user.id, includePrivate: true, order }, first(MAX_OWN))).repositories;
  const organizations = user && (await listOrganizationsOf(context, user, first(MAX_OWN))).organizations;
  const search = { keyword: q.replaceAll(',', ' '), includePrivate: user !== null };
  const others = q.length < MIN_WORD ? [] : (await searchRepositories(context, search, first(MAX_FOUND))).repositories;
  const repositories = new Map([...(own ?? []), ...others].map((repository) => [repository.id, repository]));
  return [
    ...[...repositories.values()].map(
      (repository): Entry => ({
        icon: repository.is_private ? 'lock' : 'repo',
        label: `${repository.owner.name}/${repository.name}`,
        hint: '',
        href: repositoryPath(view, repository),
      }),
    ),
    ...(organizations ?? []).map(
      ({ name, full_name }): Entry => ({ icon: 'organization', label: name, hint: full_name, href: path(view, encodeURIComponent(name)) }),
    ),
  ].filter(({ label }) => fuzzyScore(label, q) !== undefined);
}

/** Issues and pull requests by number, in this repository, or by words, there and elsewhere. */
export async function findIssues(view: View, context: Context, q: string, here: LoadedRepository | undefined): Promise<Entry[]> {
  const number = /^#?(\d{1,9})$/.exec(q)?.[1];
  const exact = here && number !== undefined ? await findIssue(context.db, here.repository, Number(number)) : undefined;
  const named = here && exact && canReadIssue(here.access, exact) ? [exact] : [];
  const words = q.length < MIN_WORD || number !== undefined ? undefined : readWords(q);
  const found =
    words === undefined || !view.user ? [] : [...(await inRepository(context, words, here)), ...(await elsewhere(context, words))];
  const unique = new Map([...named, ...found].map((issue) => [issue.id, issue]));
  const shown = await presentIssues(context, [...unique.values()].slice(0, MAX_FOUND));
  return shown.map(({ number, title, html_url: url, repository, pull_request: pull }) => ({
    icon: pull ? 'git-pull-request' : 'issue-opened',
    label: `#${number} ${title}`,
    hint: repository?.full_name ?? '',
    href: localUrl(view, url ?? ''),
  }));
}

async function inRepository(context: Context, words: string, here: LoadedRepository | undefined) {
  if (!here) return [];
  const [issues, pulls] = [here.access.canRead('issues'), here.access.canRead('pulls')];
  if (!issues && !pulls) return [];
  const isPull = issues && pulls ? undefined : pulls;
  return (await listIssues(context, here.repository, { isPull, words }, first(MAX_FOUND))).issues;
}

async function elsewhere(context: Context, words: string) {
  return (await searchIssues(context, { words, isClosed: false }, {}, first(MAX_FOUND))).issues;
}

function first(limit: number): Page {
  return { page: 1, limit, offset: 0 };
}
