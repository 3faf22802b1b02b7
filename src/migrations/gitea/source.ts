import { Fields } from '../source/fields.ts';
import type { SourceOptions } from '../source/options.ts';
import type { Source, SourceLabel, SourceMilestone, SourceRelease } from '../source/source.ts';
import { type GiteaApi, giteaApi } from './client.ts';
import { readAssets, readIssue } from './issues.ts';
import { readPerson } from './people.ts';
import { readPull } from './pulls.ts';

/** A repository on a server with Gitea, Forgejo or Copse. */
export async function giteaSource(options: SourceOptions): Promise<Source> {
  const api = await giteaApi(options);
  return {
    repository: async () => {
      const repository = new Fields((await api.client.get(api.path)).json, 'repository');
      return {
        description: repository.text('description', 2048),
        defaultBranch: repository.text('default_branch', 255),
        clone: options.url,
      };
    },
    topics: async () => new Fields((await api.client.get(`${api.path}/topics`)).json, 'topics').texts('topics'),
    milestones: (cursor) => api.list('milestones', cursor, readMilestone, { state: 'all' }),
    labels: (cursor) => api.list('labels', cursor, readLabel),
    releases: (cursor) => api.list('releases', cursor, (fields) => readRelease(api, fields)),
    issues: (cursor) => api.list('issues', cursor, (fields) => readIssue(api, fields), { state: 'all', type: 'issues' }),
    pulls: (cursor) => api.list('pulls', cursor, (fields) => readPull(api, fields), { state: 'all' }),
  };
}

/** A milestone. */
export function readMilestone(fields: Fields): SourceMilestone {
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

/** A label. */
export function readLabel(fields: Fields): SourceLabel {
  return {
    name: fields.text('name', 1000),
    color: fields.text('color', 20),
    description: fields.text('description', 10_000),
    isExclusive: fields.flag('exclusive'),
  };
}

function readRelease(api: GiteaApi, fields: Fields): SourceRelease {
  return {
    tag: fields.text('tag_name', 1000),
    target: fields.text('target_commitish', 1000),
    title: fields.text('name', 10_000),
    note: fields.text('body'),
    isDraft: fields.flag('draft'),
    isPrerelease: fields.flag('prerelease'),
    author: readPerson(fields.object('author')),
    createdAt: fields.time('created_at'),
    assets: readAssets(api, fields.list('assets')),
  };
}
