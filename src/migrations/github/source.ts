import { Fields } from '../source/fields.ts';
import type { SourceOptions } from '../source/options.ts';
import type { Source, SourceLabel, SourceMilestone, SourceRelease, SourceRepository } from '../source/source.ts';
import { type GitHubApi, githubApi } from './client.ts';
import { readIssue, readPerson } from './issues.ts';
import { readPull } from './pulls.ts';

const OLDEST_FIRST = { state: 'all', sort: 'created', direction: 'asc' } as const;

/** A repository on GitHub. */
export async function githubSource(options: SourceOptions): Promise<Source> {
  return sourceOf(githubApi(options), options.url);
}

/** The source that an API shows. */
export function sourceOf(api: GitHubApi, clone: SourceRepository['clone']): Source {
  const repository = async () => new Fields((await api.client.get(api.path)).json, 'repository');
  return {
    repository: async () => {
      const fields = await repository();
      return { description: fields.text('description', 2048), defaultBranch: fields.text('default_branch', 255), clone };
    },
    topics: async () => (await repository()).texts('topics'),
    milestones: (cursor) => api.list('milestones', cursor, readMilestone, { state: 'all' }),
    labels: (cursor) => api.list('labels', cursor, readLabel),
    releases: (cursor) => api.list('releases', cursor, (fields) => readRelease(api, fields)),
    // The list has the pull requests too.
    issues: (cursor) =>
      api.list('issues', cursor, (fields) => (fields.has('pull_request') ? undefined : readIssue(api, fields)), OLDEST_FIRST),
    pulls: (cursor) => api.list('pulls', cursor, (fields) => readPull(api, fields), OLDEST_FIRST),
  };
}

function readMilestone(fields: Fields): SourceMilestone {
  return {
    title: fields.text('title', 1000),
    description: fields.text('description'),
    isClosed: fields.text('state') === 'closed',
    deadline: fields.time('due_on'),
    createdAt: fields.time('created_at'),
    updatedAt: fields.time('updated_at'),
    closedAt: fields.time('closed_at'),
  };
}

function readLabel(fields: Fields): SourceLabel {
  return {
    name: fields.text('name', 1000),
    color: fields.text('color', 20),
    description: fields.text('description', 10_000),
    isExclusive: false,
  };
}

function readRelease(api: GitHubApi, fields: Fields): SourceRelease {
  return {
    tag: fields.text('tag_name', 1000),
    target: fields.text('target_commitish', 1000).replace(/^refs\/heads\//, ''),
    title: fields.text('name', 10_000),
    note: fields.text('body'),
    isDraft: fields.flag('draft'),
    isPrerelease: fields.flag('prerelease'),
    author: readPerson(fields.object('author')),
    createdAt: fields.time('created_at') ?? fields.time('published_at'),
    assets: fields.list('assets').map((asset) => {
      const id = asset.id('id');
      return {
        name: asset.text('name', 1000),
        downloadCount: asset.count('download_count'),
        createdAt: asset.time('created_at') ?? asset.time('updated_at'),
        // By its id: the URLs in the response are those of pages, which accept no tokens.
        open: () => api.client.open(`${api.client.base}${api.path}/releases/assets/${id}`, 'application/octet-stream'),
      };
    }),
  };
}
