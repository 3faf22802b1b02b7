import { empty } from '../../http/responses.ts';
import { invalid } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { receiveForm } from '../protocol/receive.ts';
import { webUrlOf, withoutEmpty } from '../protocol/values.ts';
import { publish } from '../registry/publish.ts';
import { isProjectName, isVersion, normalizeName } from './names.ts';

/** The stored metadata of a version. */
export interface PypiMetadata {
  readonly author?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly homepage?: string;
  readonly license?: string;
  /** The versions of Python that it runs on. */
  readonly requiresPython?: string;
}

/** Adds a file to a version: https://docs.pypi.org/api/upload/ */
export async function upload(call: PackageCall) {
  const { blob, name: file, fields } = await receiveForm(call, 'pypi', 'content', { shown: [] });
  const field = (key: string) => fields.get(key)?.[0] ?? '';
  if (file === '') throw invalid('the form has no file content');
  if (field('sha256_digest').toLowerCase() !== blob.sha256) throw invalid('hash mismatch');
  const name = normalizeName(field('name'));
  const version = field('version');
  if (!isProjectName(name) || !isVersion(version)) throw invalid('invalid name or version');
  const metadata: PypiMetadata = withoutEmpty({
    author: field('author'),
    summary: field('summary'),
    description: field('long_description') || field('description'),
    homepage: webUrlOf(homepageOf(fields.get('project_urls') ?? []) || field('home_page')),
    license: field('license'),
    requiresPython: field('requires_python'),
  });
  const { context, owner } = call;
  const files = [{ name: file, blob, isLead: true }];
  await publish(context, { owner, type: 'pypi', name, version, metadata, files, existing: 'append', indexes: [name.toLowerCase()] });
  return empty(201);
}

/** The URL with the well-known label `homepage`, of `label, URL`. */
function homepageOf(urls: readonly string[]): string {
  const labelled = urls.map((entry) => ({ at: entry.indexOf(','), entry })).filter(({ at }) => at >= 0);
  const label = (text: string) => text.replace(/[\p{P}\s]/gu, '').toLowerCase();
  const found = labelled.find(({ at, entry }) => label(entry.slice(0, at)) === 'homepage');
  return found ? found.entry.slice(found.at + 1).trim() : '';
}
