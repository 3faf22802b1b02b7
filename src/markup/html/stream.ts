import { html, type Token, Tokenizer, TokenizerMode } from 'parse5';
import { escapeHtml } from '../../text/escape-html.ts';
import { ELEMENTS, SKIPPED, WITHOUT_ATTRIBUTES } from './policy.ts';
import { type SanitizeOptions, sanitizeAttributes } from './sanitizer.ts';

const { TAG_ID } = html;

/** How the text within these elements is read (https://html.spec.whatwg.org/#parsing-html-fragments): tags in it are none. */
const TEXT_MODES = new Map<number, (typeof TokenizerMode)[keyof typeof TokenizerMode]>([
  [TAG_ID.TEXTAREA, TokenizerMode.RCDATA],
  [TAG_ID.TITLE, TokenizerMode.RCDATA],
  [TAG_ID.SCRIPT, TokenizerMode.SCRIPT_DATA],
  [TAG_ID.PLAINTEXT, TokenizerMode.PLAINTEXT],
  ...[TAG_ID.IFRAME, TAG_ID.NOEMBED, TAG_ID.NOFRAMES, TAG_ID.NOSCRIPT, TAG_ID.STYLE, TAG_ID.XMP].map(
    (id): [number, typeof TokenizerMode.RAWTEXT] => [id, TokenizerMode.RAWTEXT],
  ),
]);

/**
 * `source` as HTML that is safe in any page, tag by tag as it is written: what is not closed stays open, and what closes nothing stays.
 * Every text is escaped and every tag is an allowed one without raw text, so that a browser finds nothing else in it.
 */
export function sanitizeStream(source: string, options: SanitizeOptions): string {
  const stream = new SanitizingStream(options);
  const tokenizer = new Tokenizer({}, stream);
  stream.tokenizer = tokenizer;
  tokenizer.write(source, true);
  return stream.out.join('');
}

class SanitizingStream {
  readonly out: string[] = [];
  tokenizer: Tokenizer | undefined;
  readonly #options: SanitizeOptions;
  /** The element begun last, when its text runs something. */
  #running = '';
  /** How deep within elements that are left out with their content, and whether now. */
  #skipped = 0;
  #skipping = false;
  /** Elements that were replaced by their content; their end tags are left out, too. */
  readonly #bare: string[] = [];

  constructor(options: SanitizeOptions) {
    this.#options = options;
  }

  onStartTag({ tagName, tagID, attrs, selfClosing }: Token.TagToken): void {
    const mode = TEXT_MODES.get(tagID);
    if (mode !== undefined && this.tokenizer) this.tokenizer.state = mode;
    const runs = tagName === 'script' || tagName === 'style';
    if (!selfClosing) this.#running = runs ? tagName : '';
    if (runs) return;
    if (!ELEMENTS.has(tagName)) {
      if (selfClosing || !SKIPPED.has(tagName)) return;
      this.#skipping = true;
      this.#skipped++;
      return;
    }
    const attributes = sanitizeAttributes(attrs, tagName, this.#options);
    if (attributes === undefined || (attributes === '' && !WITHOUT_ATTRIBUTES.has(tagName))) {
      if (!selfClosing) this.#bare.push(tagName);
    } else if (!this.#skipping) this.out.push(`<${tagName}${attributes}${selfClosing ? '/' : ''}>`);
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (tagName === this.#running) this.#running = '';
    if (tagName === 'script' || tagName === 'style') return;
    if (this.#bare.at(-1) === tagName) {
      this.#bare.pop();
    } else if (!ELEMENTS.has(tagName)) {
      if (!SKIPPED.has(tagName)) return;
      this.#skipped = Math.max(0, this.#skipped - 1);
      if (this.#skipped === 0) this.#skipping = false;
    } else if (!this.#skipping) this.out.push(`</${tagName}>`);
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (!this.#skipping && this.#running === '') this.out.push(escapeHtml(chars));
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
}
