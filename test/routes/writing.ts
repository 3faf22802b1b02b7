import assert from 'node:assert/strict';
import { allRoutes } from '../../src/features.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import type { Client } from '../support/client.ts';
import { bodiesOf } from './bodies.ts';
import { addressesOf } from './paths.ts';

/** The routes of the API that write. */
export const writing = allRoutes.filter(({ method, path }) => method !== 'GET' && !path.startsWith('//'));

/** Without those that end the place itself; what removes anything comes last. */
export const lasting = writing
  .filter(({ path, method }) => !/:org$|:repo$|transfer\/|rename/.test(path) || method === 'PUT')
  .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE') || b.path.length - a.path.length);

/** One value of each parameter: what is hidden itself is refused before anything in it is looked up. */
export function firsts(place: Record<string, readonly string[]>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(place).map(([name, given]) => [name, given.slice(0, 1)]));
}

/**
 * Sends each of the routes what it takes, at a place, with all the ids that there are; returns those that took it.
 * @param values what the fields of some names say
 */
export async function writeEverywhere(
  client: Client,
  routes: readonly AnyRoute[],
  place: Record<string, readonly string[]>,
  values: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const taken: string[] = [];
  const all = (place.id ?? []).map(Number);
  for (const route of routes) {
    for (const [index, address] of addressesOf(route, place).entries()) {
      // An id in the path stands beside one other in the body.
      const ids = route.path.includes(':id') ? all.slice(index % all.length).slice(0, 1) : all;
      for (const id of ids) {
        const bodies = bodiesOf(route, { ...values, id, labels: [id] });
        const others = bodies.filter((body) => JSON.stringify(body)?.includes(`${id}`));
        for (const body of all.length === 1 ? bodies.slice(0, 1) : id === all[0] ? bodies : others) {
          const { status } = await client.send(route.method, address, { json: body });
          if (status < 300) taken.push(`${status} ${route.method} ${address} ${JSON.stringify(body)}`);
          assert.ok(status < 500, `${status} ${route.method} ${address}`);
        }
      }
    }
  }
  return taken;
}

/** Tells the rows about these repositories, issues and owners, by their ids, from others. */
export function rowsAbout(ids: { repositories: readonly number[]; issues: readonly number[]; owners: readonly number[] }) {
  const has = (list: readonly number[], ...columns: unknown[]) => columns.some((id) => list.includes(Number(id)));
  return (key: string, row: Record<string, unknown>) =>
    (key.startsWith('users ') && has(ids.owners, row.id)) ||
    (key.startsWith('repositories ') && has(ids.repositories, row.id)) ||
    has(ids.repositories, row.repository_id, row.base_repository_id) ||
    has(ids.issues, row.issue_id) ||
    has(ids.owners, row.user_id, row.owner_id, row.organization_id, row.author_id);
}

/** The ids of repositories with their issues, and of owners. */
export async function idsOf(client: Client, repositories: readonly string[], owners: readonly string[]) {
  const ids = { repositories: [] as number[], issues: [] as number[], owners: [] as number[] };
  for (const name of repositories) {
    ids.repositories.push((await client.must('GET', `/repos/${name}`)).id);
    for (const { id } of await client.must('GET', `/repos/${name}/issues?state=all`)) ids.issues.push(id);
  }
  for (const name of owners) ids.owners.push((await client.must('GET', `/users/${name}`)).id);
  return ids;
}
