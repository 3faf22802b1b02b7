import { FIELDS, LISTED } from './metadata.ts';

/** The lines of a chart's version in an index: YAML, indented as an item of a list below the chart's name. */
export function versionLines(metadata: Readonly<Record<string, unknown>>, url: string, createdAt: number): string {
  const lines = [
    ...linesOf(metadata, FIELDS),
    'urls:',
    `- ${scalar(url)}`,
    `created: ${scalar(new Date(createdAt * 1000).toISOString().replace('.000Z', 'Z'))}`,
  ];
  return lines.map((line, index) => `${index === 0 ? '    - ' : '      '}${line}\n`).join('');
}

/** A text as YAML: in double quotes as in JSON, with everything escaped that YAML treats as a line end or refuses. */
export function scalar(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function linesOf(source: Readonly<Record<string, unknown>>, fields: typeof FIELDS): string[] {
  return fields.flatMap(([stored, yaml]) => {
    const value = source[stored];
    if (value === undefined) return [];
    if (typeof value === 'string') return [`${yaml}: ${scalar(value)}`];
    if (typeof value === 'boolean') return value ? [`${yaml}: true`] : [];
    const listed = LISTED[stored];
    if (listed && Array.isArray(value)) {
      return [`${yaml}:`, ...value.flatMap((item: Record<string, unknown>) => itemLines(linesOf(item, listed)))];
    }
    // Lists, maps and values of any form: JSON is YAML too.
    return [`${yaml}: ${scalarsOf(value)}`];
  });
}

function itemLines(lines: readonly string[]): string[] {
  return lines.length === 0 ? ['- {}'] : lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

function scalarsOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(scalarsOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, item]) => `${scalar(name)}: ${scalarsOf(item)}`)
      .join(', ')}}`;
  }
  return scalar(String(value));
}
