import type { Fields } from '../source/fields.ts';
import { onlyPage } from '../source/lists.ts';
import type { SourceOptions } from '../source/options.ts';
import type { Source, SourceLabel, SourceMilestone } from '../source/source.ts';
import { openProject, PER_PAGE } from './client.ts';
import { listIssues } from './issues.ts';
import { listPulls } from './pulls.ts';

const DAY = 86_400;

/** The types that issues have unless an administrator changed them; they are labels here. */
const TYPES = {
  Bug: 'f64e60',
  'Build Failure': 'f64e60',
  Discussion: '8950fc',
  Improvement: '1bc5bd',
  'New Feature': '1bc5bd',
  'Support Request': '8950fc',
};

/** A project on OneDev. Its pull requests have numbers of their own, which follow those of the issues here. */
export async function onedevSource(options: SourceOptions): Promise<Source> {
  const { api, project } = await openProject(options);
  return {
    repository: async () => ({ description: project.text('description', 2048), defaultBranch: '', clone: options.url }),
    milestones: async (cursor) => {
      const offset = Number(cursor);
      const found = await api.list(`projects/${api.id}/iterations`, { offset, count: PER_PAGE });
      return { items: found.map(readMilestone), next: found.length < PER_PAGE ? undefined : String(offset + PER_PAGE) };
    },
    labels: async () =>
      onlyPage(Object.entries(TYPES).map(([name, color]): SourceLabel => ({ name, color, description: '', isExclusive: false }))),
    issues: (cursor) => listIssues(api, cursor),
    pulls: (cursor) => listPulls(api, cursor, options.withIssues),
  };
}

function readMilestone(fields: Fields): SourceMilestone {
  const day = fields.count('dueDay');
  const deadline = day > 0 ? day * DAY : undefined;
  const isClosed = fields.flag('closed');
  return {
    title: fields.text('name', 1000),
    description: fields.text('description'),
    isClosed,
    deadline,
    createdAt: undefined,
    updatedAt: undefined,
    closedAt: isClosed ? deadline : undefined,
  };
}
