import { invalid } from '../errors.ts';

/** The stored metadata of a version. */
export interface CranMetadata {
  readonly title?: string;
  readonly description?: string;
  readonly project_url?: readonly string[];
  readonly license?: string;
  readonly authors?: readonly string[];
  readonly depends?: readonly string[];
  readonly imports?: readonly string[];
  readonly suggests?: readonly string[];
  readonly linking_to?: readonly string[];
  readonly needs_compilation: boolean;
}

/** The known fields of a `DESCRIPTION` file. */
export interface Description {
  readonly name: string;
  readonly version: string;
  readonly metadata: CranMetadata;
}

/** Size limit of a `DESCRIPTION` file in bytes. */
export const MAX_DESCRIPTION = 1024 * 1024;

/**
 * Reads a `DESCRIPTION` file: a field begins a line, and continues in the following lines that do not begin with a field
 * (https://cran.r-project.org/doc/manuals/r-release/R-exts.html#The-DESCRIPTION-file).
 * @throws PackageError 400 for a name or version that R would not take
 */
export function parseDescription(text: string): Description {
  const fields = readFields(text);
  const value = (name: string) => fields.get(name) || undefined;
  const list = (name: string) =>
    value(name)
      ?.split(', ')
      .map((item) => item.trim());
  const name = value('Package') ?? '';
  if (!/^[a-z][a-z0-9.]*[a-z0-9]$/i.test(name)) throw invalid('package name is invalid');
  const version = value('Version') ?? '';
  if (!/^[0-9]+(?:[.-][0-9]+)+$/.test(version)) throw invalid('package version is invalid');
  const authors = value('Author');
  const metadata = {
    title: value('Title'),
    description: value('Description'),
    project_url: list('URL'),
    license: value('License'),
    authors:
      authors === undefined
        ? undefined
        : withoutRemarks(authors)
            .split(', ')
            .map((author) => author.trim()),
    depends: list('Depends'),
    imports: list('Imports'),
    suggests: list('Suggests'),
    linking_to: list('LinkingTo'),
    needs_compilation: value('NeedsCompilation') === 'yes',
  };
  return { name, version, metadata };
}

function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let lines: string[] = [];
  const end = () => {
    const field = lines.join(' ');
    const colon = field.indexOf(':');
    if (colon >= 0) fields.set(field.slice(0, colon).trim(), field.slice(colon + 1).trim());
  };
  for (const whole of text.split('\n')) {
    const line = whole.trim();
    if (line === '') continue;
    if (beginsField(line)) {
      end();
      lines = [];
    }
    lines.push(line);
  }
  end();
  return fields;
}

/** Whether there is a colon in its first word. */
function beginsField(line: string): boolean {
  const space = line.search(/\s/);
  return line.lastIndexOf(':', space < 0 ? line.length : space) > 0;
}

/** Removes what is in brackets, such as the roles of authors. */
function withoutRemarks(text: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const open = indexOfAny(text, ['[', '('], at);
    // There is something in the brackets.
    const close = open < 0 ? -1 : indexOfAny(text, [']', ')'], open + 2);
    if (close < 0) return kept + text.slice(at);
    kept += text.slice(at, open);
    at = close + 1;
  }
}

function indexOfAny(text: string, signs: readonly string[], from: number): number {
  for (let at = from; at < text.length; at++) if (signs.includes(text[at] ?? '')) return at;
  return -1;
}
