import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

/** A row of a feed, as far as tests look at it. */
export interface Activity {
  id: number;
  user_id: number;
  op_type: string;
  act_user: { login: string };
  repo: { full_name: string };
  comment: { body: string; user: unknown } | null;
  comment_id: number;
  ref_name: string;
  is_private: boolean;
  content: string;
}

/** Makes a repository with one commit, which its owner watches. Returns its path in the API. */
export async function repository(owner: Client, name: string, columns: object = {}): Promise<string> {
  await owner.must('POST', '/user/repos', { name, auto_init: true, ...columns });
  return `/repos/${owner.name}/${name}`;
}

/** What a caller reads in the feeds of a server, once everything is in them. */
export function activityFeeds(t: TestServer) {
  /** The latest first, also within one second. */
  const feedOf = async (client: Client, path: string, query = ''): Promise<Activity[]> => {
    await t.settled();
    const feed: Activity[] = await client.must('GET', `${path}/activities/feeds?limit=50${query}`);
    return feed.sort((a, b) => b.id - a.id);
  };
  /** The types, the earliest first. */
  const types = async (client: Client, path: string): Promise<string[]> =>
    (await feedOf(client, path)).map(({ op_type }) => op_type).reverse();
  return { feedOf, types };
}
