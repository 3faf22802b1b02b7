import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { ofBlocks } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { listVersions, type VersionOfPackage } from '../indexes/listed-versions.ts';
import { findPublished } from '../registry/describe.ts';

/** The name of the file that lists the versions of an artifact. */
export const METADATA_FILE = 'maven-metadata.xml';

const elementsOf = ofBlocks((versions: readonly VersionOfPackage[]) => versions.map(({ version }) => element('version', version)).join(''));

/** Builds the list of an artifact's versions: https://maven.apache.org/ref/current/maven-repository-metadata/repository-metadata.html */
export async function buildMetadata(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const row = await findPublished(context.db, { ownerId: owner.id, type: 'maven', name });
  if (!row) return [];
  // Clients expect the order in which versions were published.
  const versions = await listVersions(context, row.id, 'oldest');
  return [
    {
      name: METADATA_FILE,
      hasAllDigests: true,
      content: Readable.from(documentOf(row.name, versions), { objectMode: false }),
    },
  ];
}

function* documentOf(name: string, versions: readonly VersionOfPackage[]): Generator<string> {
  const separator = name.indexOf(':');
  const release = versions.findLast(({ version }) => !version.endsWith('-SNAPSHOT'))?.version;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<metadata>';
  yield element('groupId', name.slice(0, separator)) + element('artifactId', name.slice(separator + 1));
  yield `<versioning>${release === undefined ? '' : element('release', release)}${element('latest', versions.at(-1)?.version ?? '')}<versions>`;
  yield* elementsOf(versions);
  yield '</versions></versioning></metadata>';
}

function element(name: string, text: string): string {
  return `<${name}>${escapeHtml(text)}</${name}>`;
}
