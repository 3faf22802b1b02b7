import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { ActionStatus } from '../../database/tables/actions.ts';
import { escapeHtml } from '../../text/escape-html.ts';

/** Which runs a badge is about. */
export interface BadgeRequest {
  readonly workflow: string;
  readonly branch: string;
  /** The event of the payload; any when empty. */
  readonly event: string;
  readonly isSquare: boolean;
}

const COLORS = {
  success: '#4c1',
  failure: '#e05d44',
  cancelled: '#fe7d37',
  skipped: '#97ca00',
  waiting: '#dfb317',
  running: '#dfb317',
  blocked: '#dfb317',
} as const satisfies Record<ActionStatus, string>;
const NONE = '#9f9f9f';
/** Pixels, for a text of eleven pixels. */
const CHARACTER = 7;
const PADDING = 10;
/** Length limit of each half in characters. */
const MAX_TEXT = 100;

/** An image, as SVG, of the state of the last run of a workflow on a branch. */
export async function workflowBadge({ db }: Context, repository: Repository, request: BadgeRequest): Promise<string> {
  const { workflow, branch, event, isSquare } = request;
  const run = await db
    .selectFrom('action_runs')
    .select('status')
    .where('repository_id', '=', repository.id)
    .where('workflow_id', '=', workflow)
    .where('ref', '=', `refs/heads/${branch}`)
    .$if(event !== '', (query) => query.where('event', '=', event))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const label = workflow.replace(/\.[^./]*$/, '');
  return drawn(label, run?.status ?? 'no status', run ? COLORS[run.status] : NONE, isSquare ? 0 : 3);
}

function drawn(label: string, status: string, color: string, radius: number): string {
  const [left, right] = [label, status].map((text) => text.slice(0, MAX_TEXT).length * CHARACTER + PADDING) as [number, number];
  const [name, state] = [label, status].map((text) => escapeHtml(text.slice(0, MAX_TEXT)));
  const width = left + right;
  const text = (content: string | undefined, middle: number) => `<text x="${middle}" y="14" text-anchor="middle">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${name}: ${state}">
<title>${name}: ${state}</title>
<clipPath id="r"><rect width="${width}" height="20" rx="${radius}"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#555"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(name, left / 2)}${text(state, left + right / 2)}</g>
</svg>
`;
}
