// biome-ignore lint/suspicious/noExplicitAny: whatever the API responds with
export type Json = any;

/** Reads a path below `/api/v1` as JSON. */
export type Get = (path: string) => Promise<Json>;

/** Everything of a project that a migration brings over, without what differs between two servers: ids, URLs, and who asked for it. */
export async function snapshot(get: Get, path: string, pageSize = 50): Promise<Json> {
  const pages = async (below: string) => {
    const all: Json[] = [];
    for (let page = 1; ; page++) {
      const items = (await get(`${path}/${below}${below.includes('?') ? '&' : '?'}page=${page}&limit=${pageSize}`)) ?? [];
      all.push(...items);
      if (items.length < pageSize) return all;
    }
  };
  const repository = await get(path);
  const issues = await pages('issues?state=all&type=issues');
  const pulls = await pages('pulls?state=all');
  return {
    repository: pick(repository, 'description default_branch empty open_issues_count open_pr_counter release_counter'),
    topics: (await get(`${path}/topics`)).topics,
    labels: (await pages('labels')).map((label) => pick(label, LABEL)),
    milestones: (await pages('milestones?state=all')).map((milestone) => pick(milestone, MILESTONE)),
    releases: (await pages('releases')).map(release),
    branches: sorted((await pages('branches')).map(({ name, commit }) => `${name} ${commit.id}`)),
    issues: await each(sortedByNumber(issues), async (one) => ({ ...issue(one), ...(await discussion(get, path, one)) })),
    pulls: await each(sortedByNumber(pulls), async (one) => ({
      ...pull(one),
      ...(await discussion(get, path, one)),
      reviews: await reviews(get, `${path}/pulls/${one.number}`),
    })),
  };
}

const LABEL = 'name color description exclusive';
const MILESTONE = 'title description state open_issues closed_issues created_at closed_at due_on';
const ISSUE = 'number title body state is_locked comments created_at updated_at closed_at due_date pin_order';
const REVIEW = 'state body commit_id stale dismissed comments_count submitted_at';
const CODE = 'body path commit_id diff_hunk position original_position created_at';

function pick(from: Json, names: string): Json {
  return Object.fromEntries(names.split(' ').map((name) => [name, from[name]]));
}

const author = (row: Json) => row.original_author || row.user?.login;
const sortedByNumber = (rows: Json[]) => rows.toSorted((a, b) => a.number - b.number);
const sorted = (texts: string[]) => texts.toSorted();

async function each(rows: Json[], read: (row: Json) => Promise<Json>): Promise<Json[]> {
  const all: Json[] = [];
  for (const row of rows) all.push(await read(row));
  return all;
}

function release(row: Json): Json {
  const assets = row.assets.map((asset: Json) => pick(asset, 'name size download_count'));
  return { ...pick(row, 'tag_name target_commitish name body draft prerelease created_at'), assets };
}

function issue(row: Json): Json {
  return {
    ...pick(row, ISSUE),
    ref: row.ref ?? '',
    author: author(row),
    labels: row.labels.map(({ name }: Json) => name),
    milestone: row.milestone?.title,
    files: (row.assets ?? []).map((asset: Json) => pick(asset, 'name size')),
  };
}

function pull(row: Json): Json {
  return {
    ...issue({ ...row, user: undefined, ref: '' }),
    ...pick(row, 'draft merged merged_at merge_commit_sha merge_base allow_maintainer_edit'),
    base: pick(row.base, 'label ref sha'),
    head: pick(row.head, 'label ref sha'),
  };
}

async function discussion(get: Get, path: string, { number }: Json): Promise<Json> {
  const { original_author, user } = await get(`${path}/issues/${number}`);
  const comments = (await get(`${path}/issues/${number}/comments`)).map(async (row: Json) => ({
    ...pick(row, 'body created_at updated_at'),
    author: author(row),
    files: row.assets.map((asset: Json) => pick(asset, 'name size')),
    reactions: reactions(await get(`${path}/issues/comments/${row.id}/reactions`)),
  }));
  return {
    author: author({ original_author, user }),
    reactions: reactions(await get(`${path}/issues/${number}/reactions`)),
    comments: await Promise.all(comments),
  };
}

function reactions(rows: Json[] | null): string[] {
  return sorted((rows ?? []).map(({ user, content }) => `${user.login.replace(/\(\w+\)$/, '')} ${content}`));
}

async function reviews(get: Get, path: string): Promise<Json[]> {
  return each(await get(`${path}/reviews`), async (row) => {
    const comments = await get(`${path}/reviews/${row.id}/comments`);
    return { ...pick(row, REVIEW), comments: (comments ?? []).map((comment: Json) => pick(comment, CODE)) };
  });
}
