import { invalid } from '../errors.ts';
import { webUrlOf, withoutEmpty } from '../protocol/values.ts';

/** The stored metadata of a version. */
export interface DebianMetadata {
  readonly maintainer?: string;
  readonly project_url?: string;
  readonly description?: string;
  readonly dependencies?: readonly string[];
}

/** The metadata in a package. */
export interface ControlFile {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** Its fields unchanged, for the index. */
  readonly control: string;
  readonly metadata: DebianMetadata;
}

/** Size limit of a control file in bytes. */
export const MAX_CONTROL = 1024 * 1024;

/** Debian Policy, section 5.1. */
const FIELD_NAME = /^[!"$-,./0-9;-~][!-9;-~]*$/;

/** Fields that the index adds: they are removed from a package. */
const OF_INDEX = new Set(['filename', 'size', 'md5sum', 'sha1', 'sha256', 'sha512']);

interface Field {
  readonly name: string;
  readonly lines: string[];
}

/**
 * Reads the control file of a package (https://www.debian.org/doc/debian-policy/ch-controlfields.html). Only its first paragraph counts:
 * others would be separate packages in the index.
 * @throws PackageError 400
 */
export function parseControl(text: string): ControlFile {
  const all = readFields(text);
  // Clients ignore case of names and blanks at their end: what is named twice would be another package to them.
  if (all.some(({ name }) => !FIELD_NAME.test(name))) throw invalid('the control file has a line that is not a field');
  if (new Set(all.map(({ name }) => name.toLowerCase())).size < all.length) throw invalid('the control file has a field twice');
  const fields = all.filter(({ name }) => !OF_INDEX.has(name.toLowerCase()));
  const lines = (name: string) => fields.findLast((field) => field.name === name)?.lines ?? [];
  const first = (name: string) => fieldValue(lines(name)[0] ?? '');
  const [name, version, architecture] = [first('Package'), first('Version'), first('Architecture')];
  if (!/^[a-z0-9][a-z0-9+.-]+$/.test(name)) throw invalid('package name is invalid');
  if (!/^(?:(?:0|[1-9]\d*):)?[a-z0-9.+~]+(?:-[a-z0-9.+~-]+)?$/i.test(version)) throw invalid('package version is invalid');
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(architecture)) throw invalid('package architecture is invalid');
  const [, ...more] = lines('Description');
  const depends = [
    first('Depends'),
    ...lines('Depends')
      .slice(1)
      .map((line) => line.trim()),
  ].join('');
  const metadata = withoutEmpty({
    maintainer: nameOf(first('Maintainer')),
    project_url: webUrlOf(first('Homepage')),
    description: [first('Description'), ...more].join(''),
    dependencies: depends === '' ? [] : depends.split(',').map((dependency) => dependency.trim()),
  });
  return {
    name,
    version,
    architecture,
    control: fields
      .flatMap(({ lines }) => lines)
      .join('\n')
      .trim(),
    metadata,
  };
}

function readFields(text: string): Field[] {
  const fields: Field[] = [];
  for (const whole of text.split('\n')) {
    const line = whole.replace(/\r$/, '');
    if (line.trim() === '') {
      if (fields.length > 0) break;
      continue;
    }
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line)) fields.at(-1)?.lines.push(line);
    // Like Gitea, other lines are left out.
    else if (colon >= 0) fields.push({ name: line.slice(0, colon), lines: [line] });
  }
  return fields;
}

function fieldValue(line: string): string {
  const colon = line.indexOf(':');
  return colon < 0 ? '' : line.slice(colon + 1).trim();
}

/** The name in front of a mail address, if there is one. */
function nameOf(maintainer: string): string {
  const open = maintainer.indexOf('<');
  const name =
    open < 0 || !maintainer.endsWith('>')
      ? ''
      : maintainer
          .slice(0, open)
          .trim()
          .replace(/^"(.*)"$/, '$1');
  return name || maintainer;
}
