import { child, isNull, textAt, textOf } from './access.ts';
import { type MappingTree, type Tree, wrong } from './tree.ts';

/** An event that starts a workflow, by its name in `on`. */
export interface Trigger {
  readonly name: string;
  /** Its filters, such as `branches` and `types`. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** The times of `schedule`, as cron expressions. */
  readonly schedules: readonly string[];
}

/** What may be given to a workflow that is started by hand. */
export interface DispatchInput {
  readonly name: string;
  readonly default: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A type that is not known is a text. */
  readonly type: 'string' | 'boolean' | 'choice' | 'number' | 'environment';
  /** Of a choice. */
  readonly options: readonly string[];
}

const INPUT_TYPES = ['string', 'boolean', 'choice', 'number', 'environment'] as const;

/** Only other workflows call it. */
const CALLED = 'workflow_call';
const DISPATCH = 'workflow_dispatch';

/**
 * The events of `on`.
 * @throws WorkflowError
 */
export function readTriggers(on: Tree | undefined, workflow: Tree): Trigger[] {
  if (!on) throw wrong(workflow, 'the workflow has no `on`');
  return entriesOf(on)
    .filter(([name]) => name !== CALLED)
    .map(([name, tree]) => readTrigger(name, tree));
}

function entriesOf(on: Tree): [string, Tree | undefined][] {
  if (on.kind === 'scalar') return [[on.text, undefined]];
  if (on.kind === 'list') return on.items.map((item) => [textOf(item, 'an event'), undefined]);
  return [...on.entries];
}

function readTrigger(name: string, tree: Tree | undefined): Trigger {
  const plain = { name, filters: {}, schedules: [] };
  if (!tree || tree.kind === 'scalar') return plain;
  if (tree.kind === 'list') return name === 'schedule' ? { ...plain, schedules: tree.items.map(readTime) } : plain;
  const filters: Record<string, string[]> = {};
  for (const [key, value] of tree.entries) {
    if (value.kind === 'mapping') {
      if (name !== DISPATCH || key !== 'inputs') throw wrong(value, `${key} of ${name} has to be a text or a list of texts`);
      for (const input of value.entries.values()) if (input.kind !== 'mapping') throw wrong(input, 'an input has to be a mapping');
    } else filters[key] = value.kind === 'scalar' ? [value.text] : value.items.map((item) => textOf(item, key));
  }
  return { ...plain, filters };
}

function readTime(tree: Tree): string {
  if (tree.kind !== 'mapping') throw wrong(tree, 'a time of `schedule` has to be a mapping with `cron`');
  for (const [key, value] of tree.entries) if (value.kind !== 'scalar') throw wrong(value, `${key} of \`schedule\` has to be a text`);
  return textAt(tree, 'cron');
}

/** What can be given when it is started by hand; undefined for a workflow that cannot. */
export function readDispatchInputs(on: Tree): DispatchInput[] | undefined {
  const event = entriesOf(on).find(([name]) => name === DISPATCH);
  if (!event) return undefined;
  const [, tree] = event;
  const inputs = tree?.kind === 'mapping' ? child(tree, 'inputs') : undefined;
  if (inputs?.kind !== 'mapping') return [];
  return [...inputs.entries].map(([name, input]) => readInput(name, input));
}

function readInput(name: string, tree: Tree): DispatchInput {
  const input: MappingTree | undefined = tree.kind === 'mapping' && !isNull(tree) ? tree : undefined;
  // What is not a text only describes the form, which does without it.
  const word = (key: string) => {
    const found = input && child(input, key);
    return found?.kind === 'scalar' ? found.text : '';
  };
  const options = input && child(input, 'options');
  return {
    name,
    default: input ? textAt(input, 'default') : '',
    description: word('description'),
    isRequired: word('required') === 'true',
    type: INPUT_TYPES.find((type) => type === word('type')) ?? 'string',
    options: options?.kind === 'list' ? options.items.flatMap((item) => (item.kind === 'scalar' ? item.text : [])) : [],
  };
}
