import { now } from '../src/clock.ts';
import { inTransaction, internalContext } from '../src/context.ts';
import type { Tables } from '../src/database/tables.ts';
import { allUnits } from '../src/organizations/teams/units.ts';
import { defaultUnits } from '../src/repositories/units.ts';
import { closeServices, openServices } from '../src/server.ts';
import { loadSettings } from '../src/settings.ts';

/**
 * `node bench/seed-accounts.ts USERS ORGANIZATIONS [PASSWORD]`: writes people, organizations with an owner, a team and ten members, five
 * follows and two stars a person and a repository for every tenth person past the interface, so that lists, searches and single reads can
 * be measured with many. `person1`, whose password is given, has 50 followers and 10 organizations, and `org1` has 50 members, however
 * many there are. The settings are those of the environment; no server may be running.
 */
const [users = '', organizations = '', password = ''] = process.argv.slice(2);
const people = Number(users);
const groups = Number(organizations);
if (!(Number.isInteger(people) && Number.isInteger(groups) && people >= 100 && groups >= 10)) {
  throw new Error('usage: node bench/seed-accounts.ts USERS ORGANIZATIONS [PASSWORD], at least 100 and 10');
}

const BATCH = 500;
const SYLLABLES = ['ba', 'cor', 'del', 'fi', 'gan', 'hu', 'jo', 'kel', 'lin', 'mar', 'nu', 'pra', 'ris', 'sol', 'tem', 'vi', 'wen', 'zo'];

const services = await openServices(loadSettings({ environment: process.env }));
const context = internalContext(services);
const time = now();

/** Three syllables by the number: 5,832 different words. */
function word(seed: number): string {
  const at = (place: number) => SYLLABLES[Math.floor(seed / SYLLABLES.length ** place) % SYLLABLES.length] ?? '';
  return at(0) + at(1) + at(2);
}

function range<T>(count: number, row: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => row(index));
}

/** Inserts in batches within a transaction; what is there already stays. */
async function insert<T extends keyof Tables>(table: T, rows: readonly object[]): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    for (let done = 0; done < rows.length; done += BATCH) {
      await db
        .insertInto(table)
        .values(rows.slice(done, done + BATCH) as never)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

async function idsFrom(table: 'users' | 'teams' | 'repositories', first: number): Promise<number[]> {
  const rows = await context.db.selectFrom(table).select('id').where('id', '>', first).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

async function last(table: 'users' | 'teams' | 'repositories'): Promise<number> {
  const row = await context.db.selectFrom(table).select('id').orderBy('id', 'desc').executeTakeFirst();
  return row?.id ?? 0;
}

const hash = password ? await services.passwords.hash(password) : '';
const before = { users: await last('users'), teams: await last('teams'), repositories: await last('repositories') };
const person = (index: number) => (index === 0 ? 'person1' : `${word(index)}-${word(index * 7)}${index + 1}`);
const account = (type: 'individual' | 'organization', name: string, visibility: string) => ({
  type,
  name,
  lower_name: name,
  full_name: `${name.replaceAll('-', ' ')} of many`,
  email: type === 'individual' ? `${name}@example.com` : '',
  visibility,
  created_at: time,
  updated_at: time,
});
await insert(
  'users',
  range(people, (index) => ({
    ...account('individual', person(index), index % 50 === 49 ? 'private' : index % 50 === 48 ? 'limited' : 'public'),
    password_hash: index === 0 ? hash : '',
    followers_count: index === 0 ? 50 : 5,
    following_count: 5,
    stars_count: 2,
    repos_count: index % 10 === 0 ? 1 : 0,
  })),
);
await insert(
  'users',
  range(groups, (index) => account('organization', `org${index + 1}`, index % 50 === 49 ? 'private' : 'public')),
);
const ids = await idsFrom('users', before.users);
const user = (index: number) => ids[index % people] ?? 0;
const organization = (index: number) => ids[people + index] ?? 0;
await insert(
  'email_addresses',
  range(people, (index) => ({
    user_id: user(index),
    email: `${person(index)}@example.com`,
    lower_email: `${person(index)}@example.com`,
    is_activated: true,
    is_primary: true,
  })),
);
await insert('follows', [
  ...range(50, (index) => ({ follower_id: user(index + 1), followed_id: user(0), created_at: time })),
  ...range(people * 5, (index) => {
    const follower = Math.floor(index / 5);
    return { follower_id: user(follower), followed_id: user(follower + 1 + (index % 5)), created_at: time };
  }).filter(({ followed_id }) => followed_id !== user(0)),
]);

await insert(
  'teams',
  range(groups * 2, (index) => ({
    organization_id: organization(index >> 1),
    name: index % 2 ? 'Developers' : 'Owners',
    lower_name: index % 2 ? 'developers' : 'owners',
    access_level: index % 2 ? 0 : 4,
    includes_all_repositories: index % 2 === 0,
    members_count: index % 2 ? (index === 1 ? 50 : 10) : 1,
  })),
);
const teams = await idsFrom('teams', before.teams);
await insert(
  'team_units',
  teams.flatMap((team_id, index) => [...allUnits(index % 2 ? 2 : 4)].map(([unit, access_level]) => ({ team_id, unit, access_level }))),
);
const members = range(groups, (group) =>
  range(group === 0 ? 50 : 10, (index) => user(index === 0 && group < 10 ? 0 : group * 10 + index + 1)),
);
await insert(
  'organization_members',
  members.flatMap((of, group) =>
    of.map((user_id, index) => ({ organization_id: organization(group), user_id, is_public: index % 2 === 0 })),
  ),
);
await insert(
  'team_members',
  members.flatMap((of, group) => {
    const row = (team: number, user_id: number) => ({ team_id: teams[group * 2 + team], organization_id: organization(group), user_id });
    return [row(0, of[0] ?? 0), ...of.map((user_id) => row(1, user_id))];
  }),
);

const repositories = Math.ceil(people / 10);
await insert(
  'repositories',
  range(repositories, (index) => ({
    owner_id: user(index * 10),
    name: `${word(index * 3)}-tools`,
    lower_name: `${word(index * 3)}-tools`,
    is_private: index % 10 === 9,
    units: JSON.stringify(defaultUnits(context.settings, 'plain')),
    stars_count: 20,
    created_at: time + index - repositories,
    updated_at: time + index - repositories,
  })),
);
const repositoryIds = await idsFrom('repositories', before.repositories);
await insert(
  'stars',
  range(people * 2, (index) => ({
    repository_id: repositoryIds[index % repositoryIds.length] ?? 0,
    user_id: user(index >> 1),
    created_at: time,
  })),
);
await closeServices(services);
