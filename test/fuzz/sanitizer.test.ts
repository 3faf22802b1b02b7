// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'parse5';
import { ELEMENTS } from '../../src/markup/html/policy.ts';
import { sanitize } from '../../src/markup/html/sanitizer.ts';
import { sanitizeStream } from '../../src/markup/html/stream.ts';
import { type HtmlParent, type HtmlTemplate, isElement, parseHtml } from '../../src/markup/html/tree.ts';
import { type Dice, dice, SEED } from '../support/random.ts';

const TEXTS = 400;

/** Elements that browsers read in ways of their own: as text, as other languages, as what ends others. */
const TAGS =
  `a annotation-xml b body br caption col desc details dl font foreignObject form frameset g head hr html iframe image img input li
  listing malignmark math mglyph mi mtext nobr noembed noframes noscript option p path plaintext pre script select source style summary svg
  table td template textarea title tr ul use video x-y xmp`.split(/\s+/);

const ATTRIBUTES = [
  'href="javascript:alert(1)"',
  'href=" java\tscript:1"',
  'href="data:text/html,x"',
  'href="https://x/"',
  'src="javascript:1"',
  'src=x',
  'xlink:href="javascript:1"',
  'formaction=x',
  'srcdoc="<script>"',
  'onerror=alert(1)',
  'style="color:red;background:url(x)"',
  'title="</style><img src onerror=alert(1)>"',
  'title="--><img src onerror=alert(1)>"',
  `alt='"><script>'`,
  'encoding="text/html"',
  'type=checkbox',
  'class=x',
  'd=M0',
];

const SCRAPS = [
  ...['<!--', '-->', '<![CDATA[', ']]>', '<!', '</', '<?x', '<', '>', '"', "'", '&', '&lt;img src onerror=1&gt;', '&#0;', '\0', '\n', 'x'],
  '<script>alert(1)</script>',
];

function hostileText(roll: Dice): string {
  const one = (list: readonly string[]) => list[roll(list.length)] ?? '';
  const pieces = Array.from({ length: 1 + roll(14) }, () => {
    const kind = roll(10);
    if (kind < 5)
      return `<${one(TAGS)}${` ${one(ATTRIBUTES)}`.repeat(roll(2))}${` ${one(ATTRIBUTES)}`.repeat(roll(2))}${roll(9) ? '' : '/'}>`;
    return kind < 8 ? `</${one(TAGS)}>` : one(SCRAPS);
  });
  return pieces.join('');
}

/** What a browser would find in HTML that may not be there. */
function* findUnsafe(parent: HtmlParent): Generator<string> {
  for (const node of parent.childNodes) {
    if (node.nodeName === '#comment') yield 'a comment';
    if (!isElement(node)) continue;
    if (!ELEMENTS.has(node.tagName) && !['html', 'head', 'body'].includes(node.tagName)) yield `<${node.tagName}>`;
    for (const { name, value } of node.attrs) {
      if (/^on|^srcdoc$|^formaction$|^xlink|^encoding$/.test(name)) yield name;
      if (/^(?:href|src|cite)$/.test(name) && /^(?:javascript|vbscript|data):/i.test(value.replace(/[\0-\x20]/g, '')))
        yield `${name}=${value}`;
      if (name === 'style' && !/^(?:background-)?color: \w+$/.test(value)) yield `style=${value}`;
    }
    yield* findUnsafe('content' in node ? (node as HtmlTemplate).content : node);
  }
}

describe('sanitized contrived HTML', () => {
  it('holds nothing that runs, however a browser reads it', () => {
    const roll = dice(SEED);
    for (let i = 0; i < TEXTS; i++) {
      const text = hostileText(roll);
      const outputs = [
        sanitize(parseHtml(text), { classes: true }),
        sanitize(parseHtml(text), { classes: false }),
        sanitizeStream(text, { classes: false }),
      ];
      for (const html of outputs) {
        for (const page of [html, `<!DOCTYPE html><div>${html}</div>`, `<table><tr><td>${html}`, `<svg>${html}`, `<math><mtext>${html}`]) {
          const found = [...findUnsafe(parse(page))].filter((what) => !(what === '<math>' || what === '<mtext>'));
          assert.deepEqual(found, [], `${JSON.stringify(text)} became ${JSON.stringify(html)}`);
        }
      }
    }
  });
});
