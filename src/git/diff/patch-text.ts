/** A line of a hunk, with its numbers on the two sides. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** Without the sign and the line end. */
  readonly text: string;
  readonly oldLine: number | undefined;
  readonly newLine: number | undefined;
  /** Whether the file ends here without a line end. */
  readonly noNewline: boolean;
}

/** A hunk of a diff. */
export interface DiffHunk {
  readonly header: string;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly DiffLine[];
}

/** One file of a diff. */
export interface DiffFile {
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  readonly binary: boolean;
  readonly hunks: readonly DiffHunk[];
  /** Whether lines or hunks beyond the limit were left out. */
  readonly truncated: boolean;
}

/** Limits of {@link parseDiff}. */
export interface DiffBounds {
  /** Number of files; later ones are left out. */
  readonly maxFiles?: number;
  /** Lines of each file. */
  readonly maxLines?: number;
  /** Characters of each line; longer ones are cut. */
  readonly maxLineLength?: number;
}

interface OpenHunk extends DiffHunk {
  lines: DiffLine[];
  /** Missing lines of each side. */
  oldLeft: number;
  newLeft: number;
}

interface OpenFile {
  oldPath: string | undefined;
  newPath: string | undefined;
  binary: boolean;
  truncated: boolean;
  hunks: OpenHunk[];
  lines: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Parses the output of `git diff`; `more` says that files were left out. */
export function parseDiff(text: string, bounds: DiffBounds = {}): { files: DiffFile[]; more: boolean } {
  const { maxFiles = 300, maxLines = 10_000, maxLineLength = 5_000 } = bounds;
  const files: OpenFile[] = [];
  let file: OpenFile | undefined;
  let hunk: OpenHunk | undefined;
  for (const line of text.split('\n')) {
    if (file && hunk && isContent(hunk, line)) addLine(file, hunk, line, { maxLines, maxLineLength });
    else if (hunk && line.startsWith('\\')) markNoNewline(hunk);
    else if (line.startsWith('diff --git ')) {
      if (files.length >= maxFiles) return { files: files.map(finish), more: true };
      file = { ...headerPaths(line), binary: false, truncated: false, hunks: [], lines: 0 };
      files.push(file);
      hunk = undefined;
    } else if (file) {
      const opened = openHunk(line);
      if (!opened) {
        readExtendedHeader(file, line);
        continue;
      }
      hunk = opened;
      if (file.lines < maxLines) file.hunks.push(hunk);
      else file.truncated = true;
    }
  }
  return { files: files.map(finish), more: false };
}

function openHunk(header: string): OpenHunk | undefined {
  const [, oldStart, oldCount = 1, newStart, newCount = 1] = HUNK.exec(header) ?? [];
  if (oldStart === undefined) return undefined;
  const [oldLines, newLines] = [Number(oldCount), Number(newCount)];
  return {
    header,
    oldStart: Number(oldStart),
    oldLines,
    newStart: Number(newStart),
    newLines,
    lines: [],
    oldLeft: oldLines,
    newLeft: newLines,
  };
}

/** Whether a line is one of those that the header of the hunk has announced. */
function isContent({ oldLeft, newLeft }: OpenHunk, line: string): boolean {
  return (oldLeft > 0 || newLeft > 0) && (line === '' || ' +-'.includes(line.charAt(0)));
}

function addLine(file: OpenFile, hunk: OpenHunk, line: string, { maxLines, maxLineLength }: Required<Omit<DiffBounds, 'maxFiles'>>): void {
  const kind = KINDS[line.charAt(0)] ?? 'context';
  const oldLine = kind === 'added' ? undefined : hunk.oldStart + hunk.oldLines - hunk.oldLeft--;
  const newLine = kind === 'removed' ? undefined : hunk.newStart + hunk.newLines - hunk.newLeft--;
  if (++file.lines > maxLines) file.truncated = true;
  else hunk.lines.push({ kind, text: line.slice(1, maxLineLength + 1), oldLine, newLine, noNewline: false });
}

function markNoNewline(hunk: OpenHunk): void {
  const last = hunk.lines.pop();
  if (last) hunk.lines.push({ ...last, noNewline: true });
}

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed' };

function finish({ oldPath, newPath, binary, truncated, hunks }: OpenFile): DiffFile {
  return { oldPath, newPath, binary, truncated, hunks: hunks.map(({ oldLeft, newLeft, ...hunk }) => hunk) };
}

/** Binary files and mode changes have their name only in the first line, where both sides are the same. */
function headerPaths(line: string): { oldPath: string | undefined; newPath: string | undefined } {
  const rest = line.slice('diff --git '.length);
  const half = (rest.length - 1) / 2;
  const [first, second] = [rest.slice(0, half), rest.slice(half + 1)];
  const [oldPath, newPath] = [readPath(first), readPath(second)];
  return oldPath === newPath ? { oldPath, newPath } : { oldPath: undefined, newPath: undefined };
}

function readExtendedHeader(file: OpenFile, line: string): void {
  const [, word = '', rest = ''] =
    /^(---|\+\+\+|rename from|rename to|copy from|copy to|new file|deleted file|Binary files|GIT binary) ?(.*)$/s.exec(line) ?? [];
  if (word === '---' || word === 'deleted file') {
    if (word === '---') file.oldPath = readPath(rest);
    else file.newPath = undefined;
  } else if (word === '+++') file.newPath = readPath(rest);
  else if (word === 'new file') file.oldPath = undefined;
  else if (word.endsWith('from')) file.oldPath = unquote(rest);
  else if (word.endsWith(' to')) file.newPath = unquote(rest);
  else if (word !== '') file.binary = true;
}

/** `a/path` or `"a/p\303\244th"`; `/dev/null` is not a path. A tab after a name with spaces is not part of it. */
function readPath(text: string): string | undefined {
  const path = unquote(text.replace(/\t$/, ''));
  return path === '/dev/null' ? undefined : path.replace(/^[^/]*\//, '');
}

const ESCAPED: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function unquote(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  const bytes = text.slice(1, -1).replace(/\\([0-7]{3}|.)|[^\\]+/gs, (part, escaped?: string) => {
    if (escaped === undefined) return Buffer.from(part).toString('latin1');
    return String.fromCharCode(escaped.length === 3 ? Number.parseInt(escaped, 8) : (ESCAPED[escaped] ?? escaped.charCodeAt(0)));
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
