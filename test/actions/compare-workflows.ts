import { readdir, readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import type { NewJob } from '../../src/actions/workflows/file/jobs.ts';
import { type NewRun, run, type WorkflowFile, type WorkflowResult } from '../../src/actions/workflows/file/workflow-task.ts';

/*
 * Compares how workflow files are read here and by GitHub's parser: their triggers with all filters, and the id, needs, condition,
 * labels and number of steps of each job.
 *
 *     npm install --prefix /tmp/parser @actions/workflow-parser@0.3.61
 *     node test/actions/compare-workflows.ts /tmp/parser/node_modules/@actions/workflow-parser FOLDER
 *
 * A file that is refused here, with line and column, has to be refused by GitHub too. What only GitHub refuses is listed and no failure:
 * it checks what the server does not need. The exit code is 1 when a file differs.
 */

// The parser imports JSON without the attribute that Node asks for.
registerHooks({
  load: (url, context, next) =>
    url.endsWith('.json') ? next(url, { ...context, importAttributes: { ...context.importAttributes, type: 'json' } }) : next(url, context),
});

/** What both say of a file. */
interface Summary {
  readonly triggers: Readonly<Record<string, unknown>>;
  readonly jobs: readonly JobSummary[];
}
interface JobSummary {
  readonly key: string;
  readonly needs: readonly string[];
  readonly hasCondition: boolean;
  /** Null where they depend on an expression. */
  readonly labels: readonly string[] | null;
  /** Undefined for a job that uses another workflow. */
  readonly steps: number | undefined;
}

/** The part of GitHub's parser that is used here. */
interface Parser {
  parseWorkflow(file: { name: string; content: string }, trace: object): { context: ParserContext; value?: unknown };
  convertWorkflowTemplate(context: ParserContext, value: unknown): Promise<Template>;
}
interface ParserContext {
  readonly errors: { getErrors(): readonly { message: string }[] };
}
interface Template {
  readonly events?: Readonly<Record<string, unknown>>;
  readonly jobs?: readonly TemplateJob[];
}
interface TemplateJob {
  readonly type: string;
  readonly id: { value: string };
  readonly needs?: readonly { value: string }[];
  readonly if?: { expression: string };
  readonly 'runs-on'?: unknown;
  readonly steps?: readonly unknown[];
}

const FILTERS = ['branches', 'branches-ignore', 'tags', 'tags-ignore', 'paths', 'paths-ignore', 'types', 'workflows'];
const NOTHING = { github: {}, vars: {}, inputs: {} };

const [parserFolder, folder] = process.argv.slice(2);
if (!parserFolder || !folder) throw new Error('usage: node test/actions/compare-workflows.ts PARSER FOLDER');
const parser = (await import(pathToFileURL(resolve(parserFolder, 'dist/index.js')).href)) as Parser;
const counts = { equal: 0, 'refused by both': 0, "refused by GitHub's alone": 0, different: 0 };
for (const name of (await readdir(folder)).sort()) {
  if (!/\.ya?ml$/.test(name)) continue;
  const content = await readFile(join(folder, name), 'utf8');
  const [own, theirs] = [ownSummary(content), await theirSummary(name, content)];
  counts[judge(name, own, theirs)]++;
}
console.log(
  Object.entries(counts)
    .map(([word, count]) => `${count} ${word}`)
    .join(', '),
);
process.exitCode = counts.different > 0 ? 1 : 0;

function judge(name: string, own: Summary | string, theirs: Summary | string): keyof typeof counts {
  if (typeof own === 'string' && typeof theirs === 'string' && /^line \d+, column \d+: /.test(own)) return 'refused by both';
  if (typeof own !== 'string' && typeof theirs === 'string') {
    console.log(`${name}: GitHub's parser alone refuses it: ${theirs}`);
    return "refused by GitHub's alone";
  }
  // Labels of a matrix are known here alone.
  const isKnown = (at: number) => typeof theirs === 'string' || theirs.jobs[at]?.labels !== null;
  const here = JSON.stringify(
    typeof own === 'string' ? own : { ...own, jobs: own.jobs.map((job, at) => (isKnown(at) ? job : { ...job, labels: null })) },
  );
  const there = JSON.stringify(theirs);
  if (here === there) return 'equal';
  console.log(`${name} differs\n  here:   ${here}\n  GitHub: ${there}`);
  return 'different';
}

/** What is read here, or why not. */
function ownSummary(content: string): Summary | string {
  const [file] = run({ kind: 'read', texts: [content] }) as WorkflowResult<WorkflowFile>[];
  const expanded = run({ kind: 'expand', text: content, contexts: NOTHING }) as WorkflowResult<NewRun>;
  if (!file || !('value' in file)) return file?.problem ?? 'not read';
  if (!('value' in expanded)) return expanded.problem;
  const inputs = file.value.dispatchInputs?.map((input) => [input.name, input.default]);
  const triggers = file.value.triggers.map(({ name, filters, schedules }) => [
    name,
    {
      ...sorted(Object.fromEntries(FILTERS.flatMap((key) => (filters[key] ? [[key, filters[key]]] : [])))),
      ...(schedules.length > 0 && { schedules }),
      ...(name === 'workflow_dispatch' && { inputs }),
    },
  ]);
  // One of each matrix is enough: what differs between them is evaluated.
  const jobs = [...Map.groupBy(expanded.value.jobs, ({ key }) => key).values()].map(([job]) => ownJob(job as NewJob));
  return { triggers: sorted(Object.fromEntries(triggers)), jobs };
}

function ownJob({ key, needs, hasCondition, payload, runsOn }: NewJob): JobSummary {
  const { steps, uses } = (parse(payload) as { jobs: Record<string, { steps?: unknown[]; uses?: string }> }).jobs[key] ?? {};
  return { key, needs, hasCondition, labels: runsOn, steps: uses ? undefined : (steps?.length ?? 0) };
}

/** What GitHub's parser reads, or why not. */
async function theirSummary(name: string, content: string): Promise<Summary | string> {
  const trace = { error() {}, info() {}, verbose() {} };
  const { context, value } = parser.parseWorkflow({ name, content }, trace);
  const template = value === undefined ? undefined : await parser.convertWorkflowTemplate(context, value);
  const [error] = context.errors.getErrors();
  if (error || !template) return error?.message ?? 'nothing';
  const triggers = Object.entries(template.events ?? {})
    .filter(([event]) => event !== 'workflow_call')
    .map(([event, config]) => [event, theirTrigger(event, config)]);
  return { triggers: sorted(Object.fromEntries(triggers)), jobs: (template.jobs ?? []).map(theirJob) };
}

function theirTrigger(event: string, config: unknown): object {
  if (event === 'schedule') return { schedules: (config as { cron: string }[]).map(({ cron }) => cron) };
  const { inputs = {}, ...rest } = config as Record<string, unknown>;
  const filters = sorted(Object.fromEntries(Object.entries(rest).filter(([key]) => FILTERS.includes(key))));
  if (event !== 'workflow_dispatch') return filters;
  const known = Object.entries(inputs as Record<string, { default?: unknown }>);
  return { inputs: known.map(([input, { default: value }]) => [input, value === undefined ? '' : String(value)]) };
}

function theirJob({ id, needs = [], if: condition, steps = [], type, 'runs-on': runsOn }: TemplateJob): JobSummary {
  const hasCondition = condition !== undefined && condition.expression !== 'success()';
  const labels = labelsOf(JSON.parse(JSON.stringify(runsOn ?? [])));
  return {
    key: id.value,
    needs: needs.map(({ value }) => value),
    hasCondition,
    labels: labels.includes('') ? null : labels,
    steps: type === 'job' ? steps.length : undefined,
  };
}

/** The labels of a token as it is serialized; empty for an expression. */
function labelsOf(token: unknown): string[] {
  if (typeof token === 'string') return [token];
  if (Array.isArray(token)) return token.flatMap(labelsOf);
  const { type, seq, map, lit } = token as { type?: number; seq?: unknown[]; map?: { Value: unknown }[]; lit?: string };
  if (lit !== undefined) return [lit];
  if (seq) return seq.flatMap(labelsOf);
  if (map) return map.flatMap(({ Value }) => labelsOf(Value));
  return type === undefined ? [] : [''];
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
