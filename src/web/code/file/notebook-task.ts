/** The parts of a Jupyter notebook's cell that are shown. */
export interface NotebookCell {
  readonly kind: 'markdown' | 'code' | 'raw';
  readonly text: string;
  readonly outputs: readonly NotebookOutput[];
}

/** The output of a cell. Its own markup is not shown, its text form is. */
export type NotebookOutput = { readonly text: string } | { readonly image: string };

/** A notebook (https://nbformat.readthedocs.io/en/latest/format_description.html). */
export interface Notebook {
  readonly language: string;
  readonly cells: readonly NotebookCell[];
  /** Whether there are more cells. */
  readonly more: boolean;
}

const MAX_CELLS = 500;
const MAX_OUTPUTS = 50;
const MAX_TEXT = 100_000;

/** Parses a notebook; undefined if it is invalid. */
export function run(source: string): Notebook | undefined {
  const document = parsed(source);
  const cells = part(document, 'cells');
  if (!Array.isArray(cells)) return undefined;
  return {
    language: string(part(part(part(document, 'metadata'), 'kernelspec'), 'language')) || 'python',
    cells: cells.slice(0, MAX_CELLS).map(cellOf),
    more: cells.length > MAX_CELLS,
  };
}

function cellOf(cell: unknown): NotebookCell {
  const type = part(cell, 'cell_type');
  const outputs = part(cell, 'outputs');
  return {
    kind: type === 'markdown' || type === 'code' ? type : 'raw',
    text: joined(part(cell, 'source')),
    outputs: Array.isArray(outputs) ? outputs.slice(0, MAX_OUTPUTS).flatMap(outputOf) : [],
  };
}

function outputOf(output: unknown): NotebookOutput[] {
  const data = part(output, 'data');
  for (const type of ['image/png', 'image/jpeg', 'image/gif']) {
    const image = joined(part(data, type), Number.POSITIVE_INFINITY).replaceAll(/\s/g, '');
    if (image !== '' && /^[\w+/]+=*$/.test(image)) return [{ image: `data:${type};base64,${image}` }];
  }
  const text = joined(part(output, 'text')) || joined(part(data, 'text/plain')) || joined(part(output, 'traceback'));
  // Color codes of terminals.
  return text === '' ? [] : [{ text: text.replaceAll(/\u001b\[[\d;]*m/g, '') }];
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function joined(value: unknown, limit = MAX_TEXT): string {
  return (Array.isArray(value) ? value.map(string).join('') : string(value)).slice(0, limit);
}
