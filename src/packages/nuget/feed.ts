import { now } from '../../clock.ts';
import { wireTime } from '../../http/schema.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import type { DescribedVersion } from '../registry/describe.ts';
import { contentUrl, entryUrl } from './links.ts';
import type { NugetMetadata } from './nuspec.ts';

const DATA = 'http://schemas.microsoft.com/ado/2007/08/dataservices';
const HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';

type Described = DescribedVersion<NugetMetadata>;

/** The service document of version 2 of the protocol, which is OData: https://www.odata.org/documentation/odata-version-2-0/ */
export function serviceDocument(url: string): string {
  return (
    `${HEADER}<service base="${escapeHtml(url)}" xmlns="http://www.w3.org/2007/app" xmlns:atom="http://www.w3.org/2005/Atom"><workspace>` +
    '<atom:title type="text">Default</atom:title><collection href="Packages"><atom:title type="text">Packages</atom:title></collection>' +
    '</workspace></service>'
  );
}

/** Versions as a feed. */
export function feedOf(url: string, versions: readonly Described[], total: number, next?: string): string {
  const links = [`<link rel="self" href="${escapeHtml(url)}"></link>`];
  if (next !== undefined) links.push(`<link rel="next" href="${escapeHtml(next)}"></link>`);
  return (
    `${HEADER}<feed ${namespaces(url)}><id>http://schemas.datacontract.org/2004/07/</id><title></title><updated>${wireTime(now())}</updated>` +
    `${links.join('')}${versions.map((version) => entry(url, version, '')).join('')}<m:count>${total}</m:count></feed>`
  );
}

/** A version as a document of its own. */
export function entryOf(url: string, version: Described): string {
  return HEADER + entry(url, version, ` ${namespaces(url)}`);
}

function namespaces(url: string): string {
  return `xmlns="http://www.w3.org/2005/Atom" xmlns:d="${DATA}" xmlns:m="${DATA}/metadata" xml:base="${escapeHtml(url)}"`;
}

function entry(url: string, described: Described, attributes: string): string {
  const { package: row, version, metadata } = described;
  const id = escapeHtml(entryUrl(url, row.name, version.version));
  return (
    `<entry${attributes}><id>${id}</id><category term="NuGetGallery.OData.V2FeedPackage" scheme="${DATA}/scheme"></category>` +
    `<link rel="self" href="${id}"></link><link rel="edit" href="${id}"></link><title type="text">${escapeHtml(row.name)}</title>` +
    `<updated>${wireTime(version.created_at)}</updated><author><name>${escapeHtml(metadata.authors ?? '')}</name></author><summary></summary>` +
    `<m:properties>${properties(described)}</m:properties>` +
    // The client wants an element that closes itself.
    `<content type="application/zip" src="${escapeHtml(contentUrl(url, row.name, version.version))}"/></entry>`
  );
}

function properties({ package: row, version, metadata, files }: Described): string {
  const time = wireTime(version.created_at);
  return [
    text('Authors', metadata.authors ?? ''),
    text('Copyright', metadata.copyright),
    typed('Created', 'DateTime', time),
    text('Dependencies', dependencies(metadata)),
    text('Description', metadata.description ?? ''),
    typed('DevelopmentDependency', 'Boolean', metadata.developmentDependency ?? false),
    typed('DownloadCount', 'Int64', version.download_count),
    text('Id', row.name),
    text('IconUrl', metadata.iconUrl),
    text('Language', metadata.language),
    typed('LastUpdated', 'DateTime', time),
    text('LicenseUrl', metadata.licenseUrl),
    text('MinClientVersion', metadata.minClientVersion),
    text('NormalizedVersion', version.version),
    text('Owners', metadata.owners),
    typed(
      'PackageSize',
      'Int64',
      files.reduce((sum, { blob }) => sum + blob.size, 0),
    ),
    text('ProjectUrl', metadata.projectUrl),
    typed('Published', 'DateTime', time),
    text('ReleaseNotes', metadata.releaseNotes),
    typed('RequireLicenseAcceptance', 'Boolean', metadata.requireLicenseAcceptance ?? false),
    text('Tags', metadata.tags),
    text('Title', metadata.title),
    text('Version', version.version),
    typed('VersionDownloadCount', 'Int64', version.download_count),
  ].join('');
}

/** Left out when it is undefined. */
function text(name: string, value: string | undefined): string {
  return value === undefined ? '' : `<d:${name}>${escapeHtml(value)}</d:${name}>`;
}

function typed(name: string, type: string, value: string | number | boolean): string {
  return `<d:${name} type="Edm.${type}">${value}</d:${name}>`;
}

/** All dependencies in one text, as version 2 has them: `ID:RANGE:FRAMEWORK`, with `|` between them. */
function dependencies({ dependencies = {} }: NugetMetadata): string {
  return Object.entries(dependencies)
    .flatMap(([framework, all]) => all.map(({ id, version }) => `${id}:${version}:${framework}`))
    .join('|');
}
