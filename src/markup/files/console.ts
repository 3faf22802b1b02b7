import { escapeHtml } from '../../text/escape-html.ts';

/** How characters look: the classes that pages give colours to. */
type Style = string;

/** Limit of columns and lines: a file must not make the screen large by moving the cursor. */
const MAX_COLUMN = 2000;
const MAX_UP = 100;

/** Whether `text` looks like terminal output: at least two escape sequences near its beginning, and no NUL. */
export function looksLikeConsole(text: string): boolean {
  const sample = text.slice(0, 512);
  return !sample.includes('\0') && (sample.match(/\x1b\[[^;m]{0,3}[;m]/g)?.length ?? 0) >= 2;
}

/** The output of a terminal (ECMA-48: colours, cursor in the line, erasing) as HTML with `<br>` between lines. */
export function renderConsole(text: string): string {
  const screen = new Screen();
  // An escape sequence, another control character, or a run of text.
  for (const [part] of text.matchAll(/\x1b\[[\d;?]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.?|[\x00-\x1f\x7f]|[^\x00-\x1f\x7f]+/gs)) {
    if (part.startsWith('\x1b[')) screen.control(part.slice(2, -1), part.at(-1) ?? '');
    else if (part === '\n') screen.newline();
    else if (part === '\r') screen.column = 0;
    else if (part === '\b') screen.column = Math.max(0, screen.column - 1);
    else if (part === '\t') screen.write('\t');
    else if (part >= ' ') screen.write(part);
  }
  return screen.toHtml();
}

class Screen {
  column = 0;
  #row = 0;
  #style: string[] = [];
  readonly #lines: { characters: string[]; styles: Style[] }[] = [{ characters: [], styles: [] }];

  write(text: string): void {
    const line = this.#lines[this.#row];
    if (!line) return;
    const style = this.#style.join(' ');
    for (const character of text) {
      while (line.characters.length < this.column) {
        line.characters.push(' ');
        line.styles.push('');
      }
      line.characters[this.column] = character;
      line.styles[this.column] = style;
      this.column++;
    }
  }

  newline(): void {
    this.#row++;
    this.column = 0;
    if (this.#row === this.#lines.length) this.#lines.push({ characters: [], styles: [] });
  }

  /** Obeys a control sequence with these parameters. */
  control(parameters: string, final: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1);
    if (final === 'm') this.#setStyle(parameters);
    else if (final === 'A') this.#row = Math.max(0, this.#row - Math.min(count, MAX_UP));
    else if (final === 'B') for (let i = 0; i < Math.min(count, MAX_UP); i++) this.#down();
    else if (final === 'C') this.column = Math.min(MAX_COLUMN, this.column + count);
    else if (final === 'D') this.column = Math.max(0, this.column - count);
    else if (final === 'G') this.column = Math.min(MAX_COLUMN, count - 1);
    else if (final === 'K') this.#erase(parameters);
  }

  /** Erases the line up to the cursor (`1`), the whole of it (`2`), or its rest. */
  #erase(part: string): void {
    const line = this.#lines[this.#row];
    if (!line) return;
    if (part === '1') line.characters.fill(' ', 0, this.column + 1);
    else line.characters.length = line.styles.length = Math.min(line.characters.length, part === '2' ? 0 : this.column);
  }

  #down(): void {
    const { column } = this;
    this.newline();
    this.column = column;
  }

  #setStyle(parameters: string): void {
    const codes = parameters === '' ? [0] : parameters.split(';', 32).map(Number);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] ?? 0;
      const layer = code === 38 ? 'fg' : code === 48 ? 'bg' : undefined;
      if (!layer) this.#style = styleAfter(this.#style, code);
      else {
        if (codes[i + 1] === 5) this.#style = coloured(this.#style, layer, `term-${layer}x${(codes[i + 2] ?? 0) & 255}`);
        i += codes[i + 1] === 2 ? 4 : 2;
      }
    }
  }

  /** Blank lines at the end are left out; others keep their height. */
  toHtml(): string {
    const lines = this.#lines.map(({ characters, styles }) => lineHtml(characters, styles));
    while (lines.at(-1) === '') lines.pop();
    return lines.map((line) => line || '\u00a0').join('<br>');
  }
}

/** The classes after a code of one number (ECMA-48, section 8.3.117): attributes like bold are written `term-fg1` to `term-fg9`. */
function styleAfter(style: readonly string[], code: number): string[] {
  const without = (...names: readonly string[]) => style.filter((name) => !names.includes(name));
  if (code === 0) return [];
  if (code <= 9) return [...without(`term-fg${code}`), `term-fg${code}`];
  if (code >= 21 && code <= 29) return without(`term-fg${code - 20}`, ...(code === 22 ? ['term-fg1'] : []));
  if (code >= 30 && code <= 39) return coloured(style, 'fg', code === 39 ? undefined : `term-fg${code}`);
  if (code >= 40 && code <= 49) return coloured(style, 'bg', code === 49 ? undefined : `term-bg${code}`);
  if (code >= 90 && code <= 97) return coloured(style, 'fg', `term-fgi${code}`);
  if (code >= 100 && code <= 107) return coloured(style, 'bg', `term-bgi${code}`);
  return [...style];
}

/** The colours of a layer; attributes stay. */
const COLOURS = { fg: /^term-fg([ix]\d+|\d\d)$/, bg: /^term-bg/ } as const;

/** The classes with another colour in a layer, or its own one back. */
function coloured(style: readonly string[], layer: keyof typeof COLOURS, colour: string | undefined): string[] {
  const rest = style.filter((name) => !COLOURS[layer].test(name));
  return colour === undefined ? rest : [...rest, colour];
}

function lineHtml(characters: string[], styles: Style[]): string {
  let html = '';
  for (let i = 0; i < characters.length; ) {
    const style = styles[i] ?? '';
    let end = i;
    while (end < characters.length && (styles[end] ?? '') === style) end++;
    const text = escapeHtml(characters.slice(i, end).join(''));
    html += style ? `<span class="${style}">${text}</span>` : text;
    i = end;
  }
  return html;
}
