import type { Units } from '../../../../database/tables/repositories.ts';
import type { ObjectFormat } from '../../../../git/repository.ts';
import { DEFAULT_VOLUME } from '../../../../git/volumes.ts';
import { checkRepositoryName } from '../../../../repositories/names.ts';
import type { Batch } from '../../batch.ts';
import { pathInside } from '../../files.ts';
import { copySourceRepository } from '../../git/copy.ts';
import { importAvatar } from '../../pictures.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { faultOf } from '../fault.ts';
import { readUnits } from './units.ts';

/** States of repositories, by Gitea's number (models/repo/repo.go, `RepositoryStatus`). */
const MIGRATING = 1;
const TRANSFERRING = 2;

const TRUST_MODELS: readonly string[] = ['default', 'collaborator', 'committer', 'collaboratorcommitter'];

/** Repositories with their units, topics, languages and licenses, and the git data of them and their wikis. */
export const repositories: Step = {
  name: 'repositories',
  table: 'repository',
  batchSize: 20,
  run: async (rows, batch) => {
    const owners = await ownersOf(rows, batch);
    const taken = rows.filter((row) => isTaken(row, batch, owners));
    const parts = await readParts(taken, batch);
    // The step "forks" sets parents that are in a later batch.
    const earlier = await batch.existingOf('repositories', taken, 'fork_id', 'template_id');
    const sources = new Set([...earlier, ...taken.map((row) => row.id)]);
    for (const row of taken) await addRepository(row, batch, owners.get(row.integer('owner_id')) ?? '', { ...parts, sources });
  },
};

/** The names of the owners, as in their folders. */
async function ownersOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.map((row) => row.integer('owner_id')))];
  const owners = await batch.context.db.selectFrom('users').select(['id', 'lower_name']).where('id', 'in', ids).execute();
  return new Map(owners.map(({ id, lower_name }) => [id, lower_name]));
}

function isTaken(row: Row, batch: Batch, owners: ReadonlyMap<number, string>): boolean {
  const fault = !owners.has(row.integer('owner_id'))
    ? 'its owner is not there'
    : row.integer('status') === MIGRATING
      ? 'its migration has not ended'
      : faultOf(() => checkRepositoryName(row.text('name')));
  if (fault !== undefined) batch.note(subjectOf(row), `${fault}: it and all that belongs to it are left out`);
  return fault === undefined;
}

interface Parts {
  readonly units: ReadonlyMap<number, Row[]>;
  readonly languages: ReadonlyMap<number, Row[]>;
  readonly licenses: ReadonlyMap<number, Row[]>;
  readonly numbers: ReadonlyMap<number, Row[]>;
  /** Repositories of the target from which others originate. */
  readonly sources: ReadonlySet<number>;
}

async function readParts(rows: readonly Row[], batch: Batch): Promise<Omit<Parts, 'sources'>> {
  const ids = rows.map((row) => row.id);
  const byRepository = async (table: string, column = 'repo_id') =>
    Map.groupBy(ids.length > 0 ? await batch.source.rowsWith(table, column, ids) : [], (row) => row.integer(column));
  return {
    units: await byRepository('repo_unit'),
    languages: await byRepository('language_stat'),
    licenses: await byRepository('repo_license'),
    numbers: await byRepository('issue_index', 'group_id'),
  };
}

async function addRepository(row: Row, batch: Batch, owner: string, parts: Parts): Promise<void> {
  const subject = subjectOf(row);
  const name = row.text('name');
  const format: ObjectFormat = row.text('object_format_name') === 'sha256' ? 'sha256' : 'sha1';
  const git = await copyGit(row, batch, owner, format);
  const languages = parts.languages.get(row.id) ?? [];
  batch.noteCuts(subject, row);
  const source = (column: string) => {
    const id = row.reference(column);
    return id !== null && parts.sources.has(id) ? id : null;
  };
  batch.add('repositories', {
    id: row.id,
    owner_id: row.integer('owner_id'),
    name,
    lower_name: name.toLowerCase(),
    description: row.text('description'),
    website: row.line('website', 2048),
    original_url: row.line('original_url', 2048),
    default_branch: row.line('default_branch') || git.head || 'main',
    default_wiki_branch: wikiBranch(row) || git.wikiHead || 'master',
    object_format: format,
    is_private: row.flag('is_private', true),
    is_archived: row.flag('is_archived'),
    archived_at: row.time('archived_unix'),
    is_mirror: row.flag('is_mirror'),
    is_empty: row.flag('is_empty') || !git.isThere,
    is_template: row.flag('is_template'),
    state: 'ready',
    fork_id: source('fork_id'),
    template_id: source('template_id'),
    trust_model: TRUST_MODELS[row.integer('trust_model')] ?? 'default',
    closes_issues_on_any_branch: row.flag('close_issues_via_commit_in_any_branch'),
    is_transferring: row.integer('status') === TRANSFERRING,
    units: JSON.stringify(unitsOf(row, batch, parts)),
    topics: JSON.stringify(row.texts('topics').slice(0, 100)),
    licenses: JSON.stringify((parts.licenses.get(row.id) ?? []).map((license) => license.line('license', 100)).sort()),
    language: languages.find((language) => language.flag('is_primary'))?.line('language', 100) ?? '',
    avatar: row.text('avatar') === '' ? '' : await importAvatar(batch, subject, 'repo-avatars', row),
    // Large files are added at the end (finish/counts.ts).
    size: Math.max(0, row.integer('size') - row.integer('lfs_size')),
    branches_count: git.branches,
    last_issue_number: Math.max(0, ...(parts.numbers.get(row.id) ?? []).map((number) => number.integer('max_index'))),
    created_at: row.time('created_unix'),
    updated_at: row.time('updated_unix'),
  });
  for (const language of languages)
    batch.add('repository_languages', { repository_id: row.id, language: language.line('language', 100), bytes: language.integer('size') });
}

function unitsOf(row: Row, batch: Batch, { units }: Parts): Units {
  return readUnits(batch.context.settings, units.get(row.id) ?? []);
}

interface Copied {
  readonly isThere: boolean;
  readonly head: string;
  readonly branches: number;
  readonly wikiHead: string;
}

/** Copies the git data of a repository and of its wiki; a dry run only checks that it exists. */
async function copyGit(row: Row, batch: Batch, owner: string, format: ObjectFormat): Promise<Copied> {
  const { settings, context, isDryRun } = batch.run;
  const name = row.text('name').toLowerCase();
  const place = { id: row.id, object_format: format, volume: DEFAULT_VOLUME };
  const folder = await pathInside(settings.repositories, owner, `${name}.git`);
  const wikiFolder = await pathInside(settings.repositories, owner, `${name}.wiki.git`);
  const isThere = folder !== undefined;
  if (!isThere) batch.note(subjectOf(row), 'its folder is missing, or is a symbolic link: it has no content');
  if (isDryRun) return { isThere, head: '', branches: 0, wikiHead: '' };
  const code = await copySourceRepository(folder, context.git.locate(place), row.line('default_branch'));
  const wiki = wikiFolder && (await copySourceRepository(wikiFolder, context.git.locateWiki(place), wikiBranch(row)));
  for (const fault of [...code.faults, ...(wiki ? wiki.faults : [])]) batch.note(subjectOf(row), fault);
  return { isThere, head: code.head, branches: code.branches, wikiHead: wiki ? wiki.head : '' };
}

/** The branch of the wiki, a column with another name in Forgejo; empty in versions without it. */
function wikiBranch(row: Row): string {
  return row.line('default_wiki_branch') || row.line('wiki_branch');
}

function subjectOf(row: Row): string {
  return `repository ${row.id} (${row.line('owner_name', 60)}/${row.line('name', 110)})`;
}
