import { Readable } from 'node:stream';
import type { Fields } from '../source/fields.ts';
import type { SourceOptions } from '../source/options.ts';
import type { Source, SourceAsset, SourceLabel, SourceMilestone, SourceRelease } from '../source/source.ts';
import { type GitLabApi, gitlabApi } from './client.ts';
import { readIssue, readPerson } from './issues.ts';
import { listMergeRequests } from './merge-requests.ts';

/** A project on GitLab. Its merge requests have numbers of their own, which follow those of the issues here. */
export async function gitlabSource(options: SourceOptions): Promise<Source> {
  const api = await gitlabApi(options);
  const { project } = api;
  return {
    repository: async () => ({
      description: project.text('description', 2048),
      defaultBranch: project.text('default_branch', 255),
      clone: options.url,
    }),
    topics: async () => project.texts(project.has('topics') ? 'topics' : 'tag_list'),
    milestones: (cursor) => api.list('milestones', cursor, readMilestone),
    labels: (cursor) => api.list('labels', cursor, readLabel),
    releases: (cursor) => api.list('releases', cursor, (fields) => readRelease(api, fields)),
    issues: (cursor) => api.list('issues', cursor, (fields) => readIssue(api, fields), { state: 'all', scope: 'all', sort: 'asc' }),
    pulls: (cursor) => listMergeRequests(api, cursor, options.withIssues),
  };
}

function readMilestone(fields: Fields): SourceMilestone {
  const isClosed = fields.text('state') === 'closed';
  const updatedAt = fields.time('updated_at');
  return {
    title: fields.text('title', 1000),
    description: fields.text('description'),
    isClosed,
    deadline: fields.time('due_date'),
    createdAt: fields.time('created_at'),
    updatedAt,
    closedAt: isClosed ? updatedAt : undefined,
  };
}

function readLabel(fields: Fields): SourceLabel {
  const name = fields.text('name', 1000);
  return {
    name,
    color: fields.text('color', 20),
    description: fields.text('description', 10_000),
    isExclusive: false,
  };
}

function readRelease(api: GitLabApi, fields: Fields): SourceRelease {
  return {
    tag: fields.text('tag_name', 1000),
    target: fields.object('commit')?.text('id', 100) ?? '',
    title: fields.text('name', 10_000),
    note: fields.text('description'),
    isDraft: false,
    isPrerelease: false,
    author: readPerson(fields.object('author')),
    createdAt: fields.time('created_at'),
    assets: (fields.object('assets')?.list('links') ?? []).map((link) => readLink(api, link)),
  };
}

/** A link of a release. Files on other servers are not fetched: they become links. */
function readLink({ client }: GitLabApi, fields: Fields): SourceAsset {
  const url = fields.text('direct_asset_url', 4096) || fields.text('url', 4096);
  const isOwn = URL.canParse(url) && new URL(url).origin === new URL(client.base).origin;
  return {
    name: fields.text('name', 1000),
    downloadCount: 0,
    createdAt: undefined,
    open: async () => (isOwn ? client.open(url) : Readable.from([Buffer.from(url)])),
  };
}
