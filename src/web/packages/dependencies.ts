import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** A dependency: a name, and the range of versions. */
export interface Dependency {
  readonly name: string;
  readonly range: string;
}

/** Kinds of dependencies. */
export type DependencyUse = 'run' | 'develop' | 'peer' | 'optional';

/** Dependencies of a use that are shown, and characters of one. */
const MAX_SHOWN = 200;
const MAX_TEXT = 200;

/** Where formats have them in their metadata. */
const FIELDS: Readonly<Record<DependencyUse, readonly string[]>> = {
  run: ['dependencies', 'require', 'depends', 'requires', 'imports', 'run_depends'],
  develop: [
    'devDependencies',
    'developmentDependencies',
    'dev_dependencies',
    'require-dev',
    'require_dev',
    'make_depends',
    'check_depends',
  ],
  peer: ['peerDependencies'],
  optional: ['optionalDependencies', 'opt_depends', 'suggests'],
};
const USES = Object.keys(FIELDS) as readonly DependencyUse[];

/** The dependencies in the metadata of any format, by kind. */
export function dependenciesOf(metadata: Metadata): Map<DependencyUse, Dependency[]> {
  const found = new Map<DependencyUse, Dependency[]>();
  for (const use of USES) {
    const all = FIELDS[use].flatMap((field) => readDependencies(metadata[field]));
    if (all.length > 0) found.set(use, all);
  }
  return found;
}

/** A list, or an object by name; some formats group their lists by build target. */
function readDependencies(value: unknown): Dependency[] {
  if (Array.isArray(value)) return value.flatMap(readDependency);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, range]) =>
    Array.isArray(range) ? range.flatMap(readDependency) : [dependency(name, range)],
  );
}

function readDependency(value: unknown): Dependency[] {
  if (typeof value === 'string') return [dependency(value, '')];
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Metadata;
  const short = fields.name ?? fields.id ?? fields.artifact_id ?? fields.artifactId;
  const group = fields.group_id ?? fields.groupId;
  if (typeof short !== 'string') return [];
  return [dependency(typeof group === 'string' ? `${group}:${short}` : short, fields.version ?? fields.req ?? fields.requirements)];
}

function dependency(name: string, range: unknown): Dependency {
  return { name: name.slice(0, MAX_TEXT), range: rangeOf(range).slice(0, MAX_TEXT) };
}

function rangeOf(range: unknown): string {
  if (typeof range === 'string') return range;
  if (!Array.isArray(range)) return '';
  const parts = range.map((part: unknown) => {
    if (typeof part === 'string') return part;
    return typeof part === 'object' && part !== null
      ? Object.values(part)
          .filter((one) => typeof one === 'string')
          .join(' ')
      : '';
  });
  return parts.filter(Boolean).join(', ');
}

/** The dependencies of a version as tables; empty if it declares none. */
export function dependencyBox({ text: { packages: text } }: View, metadata: Metadata): Html | false {
  const found = [...dependenciesOf(metadata)];
  if (found.length === 0) return false;
  const tables = found.map(([use, all]) => {
    const rows = all.slice(0, MAX_SHOWN).map(({ name, range }) => html`<tr><th scope="row">${name}</th><td>${range}</td></tr>\n`);
    return html`<h3>${text.uses[use]} <span class="count">${all.length}</span></h3><table class="dependencies"><thead><tr><th scope="col">${text.dependencyName}</th><th scope="col">${text.dependencyRange}</th></tr></thead><tbody>${rows}</tbody></table>`;
  });
  return html`<section class="box" aria-labelledby="dependencies"><header><h2 id="dependencies">${text.dependencies}</h2></header><div class="content">${tables}</div></section>`;
}
