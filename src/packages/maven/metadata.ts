import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import type { IndexFile } from '../indexes/build.ts';
import { findPublished } from '../registry/describe.ts';

/** The name of the file that lists the versions of an artifact. */
export const METADATA_FILE = 'maven-metadata.xml';

/** Versions whose elements are written at once. */
const BATCH = 500;

/** Builds the list of an artifact's versions: https://maven.apache.org/ref/current/maven-repository-metadata/repository-metadata.html */
export async function buildMetadata({ db }: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const row = await findPublished(db, { ownerId: owner.id, type: 'maven', name });
  if (!row) return [];
  // Clients expect the order in which versions were published.
  const versions = await db
    .selectFrom('package_versions')
    .select('version')
    .where('package_id', '=', row.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return [
    {
      name: METADATA_FILE,
      hasAllDigests: true,
      content: Readable.from(
        documentOf(
          row.name,
          versions.map(({ version }) => version),
        ),
        { objectMode: false },
      ),
    },
  ];
}

function* documentOf(name: string, versions: readonly string[]): Generator<string> {
  const separator = name.indexOf(':');
  const release = versions.findLast((version) => !version.endsWith('-SNAPSHOT'));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<metadata>';
  yield element('groupId', name.slice(0, separator)) + element('artifactId', name.slice(separator + 1));
  yield `<versioning>${release === undefined ? '' : element('release', release)}${element('latest', versions.at(-1) ?? '')}<versions>`;
  for (let at = 0; at < versions.length; at += BATCH) {
    yield versions
      .slice(at, at + BATCH)
      .map((version) => element('version', version))
      .join('');
  }
  yield '</versions></versioning></metadata>';
}

function element(name: string, text: string): string {
  return `<${name}>${escapeHtml(text)}</${name}>`;
}
