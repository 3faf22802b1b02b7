import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { readTar } from '../archives/tar.ts';
import { parseYaml } from '../archives/yaml.ts';
import { invalid, PackageError } from '../errors.ts';
import { webUrlOf } from '../protocol/values.ts';
import { parseVersion } from '../versions/loose.ts';

/** What is stored of a chart, by names of its own; lists name the same as `Chart.yaml` does. */
export type ChartMetadata = Readonly<Record<string, ChartValue>> & { readonly name: string; readonly version: string };

/** A value of a chart's metadata. */
export type ChartValue =
  | string
  | boolean
  | readonly string[]
  | Readonly<Record<string, string>>
  | readonly Readonly<Record<string, unknown>>[];

type Kind = 'text' | 'boolean' | 'texts' | 'map' | 'any';
type Field = readonly [stored: string, yaml: string, kind: Kind];

/** The fields of `Chart.yaml` (https://helm.sh/docs/topics/charts/#the-chartyaml-file) in their order in indexes. */
export const FIELDS: readonly Field[] = [
  ['api_version', 'apiVersion', 'text'],
  ['type', 'type', 'text'],
  ['name', 'name', 'text'],
  ['version', 'version', 'text'],
  ['app_version', 'appVersion', 'text'],
  ['home', 'home', 'text'],
  ['sources', 'sources', 'texts'],
  ['description', 'description', 'text'],
  ['keywords', 'keywords', 'texts'],
  ['maintainers', 'maintainers', 'any'],
  ['icon', 'icon', 'text'],
  ['condition', 'condition', 'text'],
  ['tags', 'tags', 'text'],
  ['deprecated', 'deprecated', 'boolean'],
  ['annotations', 'annotations', 'map'],
  ['kube_version', 'kubeVersion', 'text'],
  ['dependencies', 'dependencies', 'any'],
];

/** The fields of what `maintainers` and `dependencies` list. */
export const LISTED: Readonly<Record<string, readonly Field[]>> = {
  maintainers: ['name', 'email', 'url'].map((name): Field => [name, name, 'text']),
  dependencies: [
    ...['name', 'version', 'repository', 'condition'].map((name): Field => [name, name, 'text']),
    ['tags', 'tags', 'texts'],
    ['enabled', 'enabled', 'boolean'],
    ['import_values', 'import-values', 'any'],
    ['alias', 'alias', 'text'],
  ],
};

const MISSING = 'Chart.yaml file is missing';
const BROKEN = 'chart is invalid';

/**
 * Reads the `Chart.yaml` of an archive, which is in its one folder.
 * @throws PackageError 400
 */
export async function readChart(context: Context, archive: Readable | Buffer): Promise<ChartMetadata> {
  let document: Buffer | undefined;
  await readTar(
    archive,
    async ({ path, isFile, read }) => {
      if (!isFile || !/^[^/]*\/Chart\.yaml$/.test(path)) return undefined;
      document = await read();
      return 'stop';
    },
    { compression: 'gzip' },
  );
  if (!document) throw invalid(MISSING);
  return metadataOf(await parseChart(context, document));
}

async function parseChart(context: Context, document: Buffer): Promise<Record<string, unknown>> {
  try {
    return await parseYaml(context, document);
  } catch (error) {
    throw error instanceof PackageError ? invalid(BROKEN) : error;
  }
}

function metadataOf(chart: Record<string, unknown>): ChartMetadata {
  const metadata = fieldsOf(chart, FIELDS);
  const { api_version: apiVersion, type = '', name = '', version = '', home } = metadata;
  if (!apiVersion || !['', 'application', 'library'].includes(String(type))) throw invalid(BROKEN);
  if (typeof name !== 'string' || !/^[\w.-]{1,200}$/.test(name) || /^\.+$/.test(name)) throw invalid('package name is invalid');
  if (typeof version !== 'string' || !parseVersion(version)) throw invalid('package version is invalid');
  if (webUrlOf(home) === '') delete metadata.home;
  return { ...metadata, name, version } as ChartMetadata;
}

/** What is there of the fields, by the names under which it is stored. */
function fieldsOf(source: Record<string, unknown>, fields: readonly Field[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [stored, yaml, kind] of fields) {
    const value = source[yaml];
    if (value === undefined || value === null || value === '' || value === '~' || value === 'null') {
      // Clients find the repository of a dependency even where it is empty.
      if (yaml === 'repository') found[stored] = '';
      continue;
    }
    found[stored] = LISTED[stored] ? listOf(value, LISTED[stored]) : readField(value, kind);
  }
  return found;
}

function readField(value: unknown, kind: Kind): unknown {
  if (kind === 'text' && typeof value === 'string') return value;
  if (kind === 'boolean' && typeof value === 'string') return value.toLowerCase() === 'true';
  if (kind === 'texts' && isTexts(value)) return value;
  if (kind === 'map' && typeof value === 'object' && !Array.isArray(value) && isTexts(Object.values(value ?? {}))) return value;
  if (kind === 'any') return value;
  throw invalid(BROKEN);
}

function listOf(value: unknown, fields: readonly Field[]): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw invalid(BROKEN);
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) throw invalid(BROKEN);
    return fieldsOf(item as Record<string, unknown>, fields);
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
