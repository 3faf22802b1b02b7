import type { Entry, FileMetadata, InstalledFile, VersionMetadata } from './read.ts';
import type { Update } from './updates.ts';
import { element, textElement, xmlDocument } from './xml.ts';

/** A package of a repository. */
export interface ListedPackage {
  readonly name: string;
  readonly version: string;
  readonly size: number;
  readonly sha256: string;
  readonly metadata: VersionMetadata;
  readonly file: FileMetadata;
}

/** A document with an element for each package. */
export interface PackageDocument {
  readonly name: string;
  /** What is before the packages, and after them. */
  readonly head: string;
  readonly tail: string;
  readonly write: (found: ListedPackage) => string;
}

/** The documents that list all packages: what clients need to choose them, their files, and their changes. */
export function documentsOf(packages: number): readonly PackageDocument[] {
  const linux = 'http://linux.duke.edu/metadata';
  const changesOf = ({ file }: ListedPackage) =>
    (file.changelogs ?? []).map(({ author, date, text }) => textElement('changelog', text, { author, date }));
  const documents = [
    ['primary', 'metadata', { xmlns: `${linux}/common`, 'xmlns:rpm': `${linux}/rpm`, packages }, primaryOf],
    ['filelists', 'filelists', { xmlns: `${linux}/filelists`, packages }, listOf(({ file }) => (file.files ?? []).map(fileElement))],
    ['other', 'otherdata', { xmlns: `${linux}/other`, packages }, listOf(changesOf)],
  ] as const;
  return documents.map(([name, root, attributes, write]) => {
    const [head = '', tail = ''] = xmlDocument(element(root, attributes, ['\0'])).split('\0');
    return { name, head, tail, write };
  });
}

/** `updateinfo.xml`: why there are updates. */
export function writeUpdates(updates: readonly Update[]): string {
  return xmlDocument(element('updates', { xmlns: 'http://linux.duke.edu/metadata/updateinfo' }, updates.map(updateOf)));
}

function primaryOf({ name, version, size, sha256, metadata, file }: ListedPackage): string {
  const { summary = '', description = '', project_url = '', license = '' } = metadata;
  const href = `package/${name}/${version}/${file.architecture}/${name}-${version}.${file.architecture}.rpm`;
  return element('package', { type: 'rpm' }, [
    textElement('name', name),
    textElement('arch', file.architecture),
    versionElement(file),
    textElement('checksum', sha256, { type: 'sha256', pkgid: 'YES' }),
    textElement('summary', summary),
    textElement('description', description),
    textElement('packager', file.packager ?? ''),
    textElement('url', project_url),
    element('time', { file: file.file_time ?? 0, build: file.build_time ?? 0 }),
    element('size', { package: size, installed: file.installed_size ?? 0, archive: file.archive_size ?? 0 }),
    element('location', { href: encodeURI(href).replaceAll('%5E', '^') }),
    element('format', {}, [
      textElement('rpm:license', license),
      textElement('rpm:vendor', file.vendor ?? ''),
      textElement('rpm:group', file.group ?? ''),
      textElement('rpm:buildhost', file.build_host ?? ''),
      textElement('rpm:sourcerpm', file.source_rpm ?? ''),
      entryList('rpm:provides', file.provide),
      entryList('rpm:requires', file.require),
      entryList('rpm:conflicts', file.conflict),
      entryList('rpm:obsoletes', file.obsolete),
      ...(file.files ?? []).filter(({ is_executable }) => is_executable).map(fileElement),
    ]),
  ]);
}

function listOf(childrenOf: (found: ListedPackage) => string[]): (found: ListedPackage) => string {
  return (found) => {
    const attributes = { pkgid: found.sha256, name: found.name, arch: found.file.architecture };
    return element('package', attributes, [versionElement(found.file), ...childrenOf(found)]);
  };
}

function versionElement({ epoch, version, release }: FileMetadata): string {
  return element('version', { epoch, ver: version, rel: release });
}

function entryList(name: string, entries: readonly Entry[] = []): string {
  const children = entries.map(({ name, flags, epoch, version, release }) =>
    element('rpm:entry', { name, flags, ver: version, epoch, rel: release }),
  );
  return element(name, {}, children);
}

function fileElement({ path, type }: InstalledFile): string {
  return textElement('file', path, { type });
}

function updateOf({ from, status, type, version, references, pkg_list, ...update }: Update): string {
  return element('update', { from, status, type, version }, [
    textElement('id', update.id),
    textElement('title', update.title),
    textElement('severity', update.severity),
    textElement('description', update.description),
    element('issued', update.issued),
    element('updated', update.updated),
    element(
      'references',
      {},
      references.map((reference) => element('reference', { ...reference })),
    ),
    element(
      'pkglist',
      {},
      pkg_list.map(({ short, packages }) => element('collection', { short }, packages.map(packageOf))),
    ),
  ]);
}

function packageOf({ filename, ...attributes }: Update['pkg_list'][number]['packages'][number]): string {
  return element('package', attributes, [textElement('filename', filename)]);
}
