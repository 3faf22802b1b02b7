/** What the parts of one Org document share. */
export class OrgDocument {
  readonly macros = new Map<string, string>();
  readonly links = new Map<string, string>();
  /** Settings of `#+KEY: value` lines, keys in upper case. */
  readonly settings = new Map<string, string>([
    ['TODO', 'TODO | DONE'],
    ['EXCLUDE_TAGS', 'noexport'],
  ]);
  readonly outline: { level: number; id: string; title: string }[] = [];
  /** Characters of one block of code that are highlighted at most. */
  readonly highlightMaxSize: number;
  /** Characters of code that may still be highlighted. */
  highlightBudget = 100_000;
  headlines = 0;
  /** Characters that macros may still add. */
  #macroBudget = 100_000;
  #options = { source: '', values: new Map<string, string>() };
  readonly #footnotes: (string | undefined)[] = [];
  readonly #names = new Map<string, number>();
  readonly #definitions = new Map<string, string>();

  constructor(highlightMaxSize = Number.POSITIVE_INFINITY) {
    this.highlightMaxSize = highlightMaxSize;
  }

  /** Whether an `#+OPTIONS:` key is on, as all are unless set to `nil`; `toc` may hold a depth. */
  option(key: 'toc' | 'e' | 'f' | 'pri' | 'todo' | 'tags' | 'title'): string {
    const source = this.settings.get('OPTIONS') ?? '';
    if (source !== this.#options.source) {
      const pairs = source.split(/\s+/).map((option): [string, string] => {
        const colon = option.indexOf(':');
        return [option.slice(0, Math.max(0, colon)), option.slice(colon + 1)];
      });
      this.#options = { source, values: new Map(pairs) };
    }
    return this.#options.values.get(key) ?? 't';
  }

  /** The number of a footnote, which its first mention gives it. */
  refer(name: string, definition: string | undefined): number {
    const known = name ? this.#names.get(name) : undefined;
    if (known !== undefined) return known + 1;
    this.#footnotes.push(definition);
    if (name) this.#names.set(name, this.#footnotes.length - 1);
    return this.#footnotes.length;
  }

  /** Keeps what a footnote says. */
  define(name: string, html: string): void {
    this.#definitions.set(name, html);
  }

  /** The mentioned footnotes that are defined, with their numbers. */
  footnotes(): { number: number; html: string }[] {
    for (const [name, index] of this.#names) this.#footnotes[index] ??= this.#definitions.get(name);
    return this.#footnotes.flatMap((html, index) => (html === undefined ? [] : [{ number: index + 1, html }]));
  }

  /** A link with the abbreviation that `#+LINK:` gives it written out. */
  expandLink(link: string): string {
    const colon = link.indexOf(':');
    const prefix = this.links.get(colon < 0 ? link : link.slice(0, colon));
    if (!prefix) return link;
    const tag = colon < 0 ? '' : link.slice(colon + 1);
    return /%[sh]/.test(prefix) ? prefix.replaceAll('%s', tag).replaceAll('%h', encodeURIComponent(tag)) : prefix + tag;
  }

  /** Takes what a macro adds from the budget; nothing when that is spent, so that macros of macros end. */
  spend(text: string): string {
    this.#macroBudget -= text.length;
    return this.#macroBudget < 0 ? '' : text;
  }
}
