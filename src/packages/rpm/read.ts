import type { Context } from '../../context.ts';
import { randomAccess } from '../archives/zip.ts';
import type { Content } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { webUrlOf, withoutEmpty } from '../protocol/values.ts';
import { type RpmHeader, readHeaders } from './header.ts';
import type { Update } from './updates.ts';

/** The stored metadata of a version. */
export interface VersionMetadata {
  readonly license?: string;
  readonly project_url?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly updates?: readonly Update[];
}

/** What a package provides, requires and the like. */
export interface Entry {
  readonly name: string;
  readonly flags?: string;
  readonly version?: string;
  readonly epoch?: string;
  readonly release?: string;
}

/** A file that a package installs. */
export interface InstalledFile {
  readonly path: string;
  readonly type?: string;
  readonly is_executable: boolean;
}

/** A change in a package. */
export interface Change {
  readonly author: string;
  readonly date: number;
  readonly text: string;
}

/** The stored metadata of a file: a version has one for each architecture. */
export interface FileMetadata {
  readonly architecture: string;
  readonly epoch: string;
  readonly version: string;
  readonly release: string;
  readonly vendor?: string;
  readonly group?: string;
  readonly packager?: string;
  readonly source_rpm?: string;
  readonly build_host?: string;
  readonly build_time?: number;
  readonly file_time?: number;
  readonly installed_size?: number;
  readonly archive_size?: number;
  readonly provide?: readonly Entry[];
  readonly require?: readonly Entry[];
  readonly conflict?: readonly Entry[];
  readonly obsolete?: readonly Entry[];
  readonly files?: readonly InstalledFile[];
  readonly changelogs?: readonly Change[];
}

/** The metadata in a package. */
export interface RpmPackage {
  readonly name: string;
  /** With the release, and the epoch before it if there is one. */
  readonly version: string;
  readonly versionMetadata: VersionMetadata;
  readonly fileMetadata: FileMetadata;
}

const PAYLOAD_SIZE = 1007;
const TAGS = {
  ...{ name: 1000, version: 1001, release: 1002, epoch: 1003, summary: 1004, description: 1005, buildTime: 1006, buildHost: 1007 },
  ...{ size: 1009, vendor: 1011, license: 1014, packager: 1015, group: 1016, url: 1020, architecture: 1022, sourceRpm: 1044 },
  ...{ fileModes: 1030, fileTimes: 1034, fileFlags: 1037, dirIndexes: 1116, baseNames: 1117, dirNames: 1118 },
  ...{ changeTimes: 1080, changeAuthors: 1081, changeTexts: 1082 },
} as const;
/** Tags of names, flags and versions. */
const ENTRY_TAGS = {
  provide: [1047, 1112, 1113],
  require: [1049, 1048, 1050],
  conflict: [1054, 1053, 1055],
  obsolete: [1090, 1114, 1115],
} as const;
const [LESS, GREATER, EQUAL] = [2, 4, 8];
const GHOST = 64;

/**
 * Reads the headers of a package.
 * @throws PackageError 400
 */
export async function readPackage(context: Context, blob: Content): Promise<RpmPackage> {
  const source = randomAccess(context, blob);
  const { signature, header } = await readHeaders(async (start, length) => {
    if (start >= source.size || length === 0) return Buffer.alloc(0);
    const end = Math.min(start + length, source.size) - 1;
    return Buffer.concat(await Array.fromAsync(await source.open({ start, end })));
  });
  const text = (tag: keyof typeof TAGS) => header.text(TAGS[tag]);
  const name = checkWord('name', text('name'));
  const [number, release] = [checkWord('version', text('version')), checkWord('version', text('release'))];
  const architecture = checkWord('architecture', text('architecture'));
  const epoch = String(header.number(TAGS.epoch));
  const fileMetadata = {
    ...{ architecture, epoch, version: number, release },
    ...withoutEmpty({
      vendor: text('vendor'),
      group: text('group'),
      packager: text('packager'),
      source_rpm: text('sourceRpm'),
      build_host: text('buildHost'),
      build_time: header.number(TAGS.buildTime),
      file_time: header.number(TAGS.fileTimes),
      installed_size: header.number(TAGS.size),
      archive_size: signature.number(PAYLOAD_SIZE),
      provide: entriesOf(header, ENTRY_TAGS.provide),
      require: entriesOf(header, ENTRY_TAGS.require),
      conflict: entriesOf(header, ENTRY_TAGS.conflict),
      obsolete: entriesOf(header, ENTRY_TAGS.obsolete),
      files: filesOf(header),
      changelogs: changesOf(header),
    }),
  };
  const versionMetadata = withoutEmpty({
    license: text('license'),
    project_url: webUrlOf(text('url')),
    summary: text('summary'),
    description: text('description'),
  });
  return { name, version: `${epoch === '0' ? '' : `${epoch}-`}${number}-${release}`, versionMetadata, fileMetadata };
}

function entriesOf(header: RpmHeader, [names, flags, versions]: readonly [number, number, number]): Entry[] {
  const [name, flag, version] = [header.texts(names), header.numbers(flags), header.texts(versions)];
  if (name.length !== flag.length || name.length !== version.length) return [];
  return name.map((name, index) => ({ name, ...withoutEmpty({ flags: flagsOf(flag[index] ?? 0), ...versionOf(version[index] ?? '') }) }));
}

function flagsOf(flags: number): string {
  const or = flags & EQUAL ? 'E' : 'T';
  if (flags & GREATER) return `G${or}`;
  if (flags & LESS) return `L${or}`;
  return flags & EQUAL ? 'EQ' : '';
}

function versionOf(text: string): { version?: string; epoch?: string; release?: string } {
  if (text === '') return {};
  const [numbers = '', release = ''] = text.split('-');
  const [first = '', second, ...more] = numbers.split(':');
  const withEpoch = second !== undefined && more.length === 0;
  return { version: withEpoch ? second : first, epoch: withEpoch ? first : '0', release };
}

function filesOf(header: RpmHeader): InstalledFile[] {
  const [names, folders, indexes] = [header.texts(TAGS.baseNames), header.texts(TAGS.dirNames), header.numbers(TAGS.dirIndexes)];
  const [flags, modes] = [header.numbers(TAGS.fileFlags), header.numbers(TAGS.fileModes)];
  return names.flatMap((name, index) => {
    const folder = folders[indexes[index] ?? -1];
    if (folder === undefined) return [];
    const mode = modes[index] ?? 0;
    const type = (flags[index] ?? 0) & GHOST ? 'ghost' : (mode & 0o170000) === 0o040000 ? 'dir' : '';
    return [{ path: folder + name, ...withoutEmpty({ type }), is_executable: type === '' && (mode & 0o111) !== 0 }];
  });
}

function changesOf(header: RpmHeader): Change[] {
  const texts = header.texts(TAGS.changeTexts);
  const [authors, times] = [header.texts(TAGS.changeAuthors), header.numbers(TAGS.changeTimes)];
  if (texts.length !== authors.length || texts.length !== times.length) return [];
  return texts.map((text, index) => ({ author: authors[index] ?? '', date: times[index] ?? 0, text }));
}

/** It stands in URLs. */
function checkWord(what: string, text: string): string {
  if (!/^[^\s/|\p{Cc}]+$/u.test(text)) throw invalid(`package ${what} is invalid`);
  return text;
}
