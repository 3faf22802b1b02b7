import { escapeHtml } from '../../text/escape-html.ts';

/** How characters look: the classes that pages give colours to. */
type Style = string;

/** A column or line farther than this is not reached: a file must not make the screen large by moving the cursor. */
const MAX_COLUMN = 2000;
const MAX_UP = 100;

/** Whether `text` looks like what a terminal showed: at least two escape sequences near its beginning, and no NUL. */
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
    const line = this.#lines[this.#row];
    if (final === 'm') this.#setStyle(parameters);
    else if (final === 'A') this.#row = Math.max(0, this.#row - Math.min(count, MAX_UP));
    else if (final === 'B') for (let i = 0; i < Math.min(count, MAX_UP); i++) this.#down();
    else if (final === 'C') this.column = Math.min(MAX_COLUMN, this.column + count);
    else if (final === 'D') this.column = Math.max(0, this.column - count);
    else if (final === 'G') this.column = Math.min(MAX_COLUMN, count - 1);
    else if (final === 'K' && line) {
      if (parameters === '1') for (let i = 0; i <= this.column && i < line.characters.length; i++) line.characters[i] = ' ';
      else line.characters.length = line.styles.length = Math.min(line.characters.length, parameters === '2' ? 0 : this.column);
    }
  }

  #down(): void {
    const { column } = this;
    this.newline();
    this.column = column;
  }

  #setStyle(parameters: string): void {
    const codes = parameters === '' ? [0] : parameters.split(';', 32).map(Number);
    const without = (pattern: RegExp) => this.#style.filter((name) => !pattern.test(name));
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] ?? 0;
      if (code === 0) this.#style = [];
      else if (code >= 1 && code <= 9) this.#style = [...this.#style.filter((name) => name !== `term-fg${code}`), `term-fg${code}`];
      else if (code >= 21 && code <= 29)
        this.#style = this.#style.filter((name) => name !== `term-fg${code - 20}` && !(code === 22 && name === 'term-fg1'));
      else if (code === 38 || code === 48) {
        const layer = code === 38 ? 'fg' : 'bg';
        if (codes[i + 1] === 5) this.#style = [...without(layerPattern(layer)), `term-${layer}x${(codes[i + 2] ?? 0) & 255}`];
        i += codes[i + 1] === 2 ? 4 : 2;
      } else if (code >= 30 && code <= 39) this.#style = [...without(layerPattern('fg')), ...(code === 39 ? [] : [`term-fg${code}`])];
      else if (code >= 40 && code <= 49) this.#style = [...without(layerPattern('bg')), ...(code === 49 ? [] : [`term-bg${code}`])];
      else if (code >= 90 && code <= 97) this.#style = [...without(layerPattern('fg')), `term-fgi${code}`];
      else if (code >= 100 && code <= 107) this.#style = [...without(layerPattern('bg')), `term-bgi${code}`];
    }
  }

  /** Blank lines at the end are left out; others keep their height. */
  toHtml(): string {
    const lines = this.#lines.map(({ characters, styles }) => lineHtml(characters, styles));
    while (lines.at(-1) === '') lines.pop();
    return lines.map((line) => line || '\u00a0').join('<br>');
  }
}

/** Colours of a layer; attributes like bold are written `fg1` to `fg9` and stay. */
const layerPattern = (layer: 'fg' | 'bg'): RegExp => (layer === 'fg' ? /^term-fg([ix]\d+|\d\d)$/ : /^term-bg/);

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
