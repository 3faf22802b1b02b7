/** The pattern of an attribute's value; true allows any. */
export type ValueRule = RegExp | true;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Elements left out with all that they contain. */
export const SKIPPED = new Set(words('frame frameset iframe noembed noframes noscript nostyle object script style title'));

/** Elements that stay when no attribute is left; others give way to their content then. */
export const WITHOUT_ATTRIBUTES = new Set(
  words(`abbr acronym article aside b bdi blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
    figcaption figure h1 h2 h3 h4 h5 h6 hgroup hr i ins kbd li mark ol p picture pre q rp rt ruby s samp section small span strike strong
    sub summary sup svg table tbody td tfoot th thead time tr tt u ul var video wbr`),
);

const PARAGRAPH = /^[\p{L}\p{N}\s\-_',[\]!./\\()]*$/u;
const NUMBER = /^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i;
const INTEGER = /^\d+$/;
const SIZE = /^\d+%?$/;
const CELL_ALIGN = /^(center|justify|left|right|char)$/i;
const CELL_VALIGN = /^(baseline|bottom|middle|top)$/i;

/** Attributes of any element. */
export const GLOBAL = new Map<string, ValueRule>([
  ['dir', /^(rtl|ltr)$/i],
  ['lang', /[a-zA-Z]{2,20}/],
  ['id', /[a-zA-Z0-9:\-_.]+/],
  ['title', PARAGRAPH],
]);

const COMMON_ATTRIBUTES = words(`abbr accept accept-charset accesskey action align alt aria-describedby aria-hidden aria-label
  aria-labelledby axis border cellpadding cellspacing char charoff charset checked clear cols colspan color compact coords datetime dir
  disabled enctype for frame headers height hreflang hspace ismap label lang maxlength media method multiple name nohref noshade nowrap
  open prompt readonly rel rev rows rowspan rules scope selected shape size span start summary tabindex target title type usemap valign
  value vspace width itemprop itemscope itemtype data-markdown-generated-content`);

const COMMON_ELEMENTS = words(`h1 h2 h3 h4 h5 h6 h7 h8 br b center i strong em a pre code img tt div ins del sup sub p ol ul table thead
  tbody tfoot blockquote label dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure figcaption abbr
  bdo cite dfn mark small span time video wbr picture source`);

const PLAIN_ELEMENTS = words('article aside section hgroup acronym u bdi area map meter progress col colgroup input svg path');

/** Attributes by element; an element that is not here gives way to its content. */
export const ELEMENTS = new Map<string, Map<string, ValueRule>>();
for (const name of COMMON_ELEMENTS) ELEMENTS.set(name, new Map(COMMON_ATTRIBUTES.map((attribute) => [attribute, true])));
for (const name of PLAIN_ELEMENTS) ELEMENTS.set(name, new Map());

function allow(elements: string, attributes: string, rule: ValueRule): void {
  for (const name of words(elements)) for (const attribute of words(attributes)) ELEMENTS.get(name)?.set(attribute, rule);
}
allow('a area', 'href', true);
allow('blockquote q del ins', 'cite', true);
allow('img video', 'src', true);
allow('img', 'loading', true);
allow('video', 'autoplay controls', true);
allow('source', 'srcset', true);
allow('map', 'name', /^[\p{L}\p{N}_-]+$/u);
allow('area', 'alt', PARAGRAPH);
allow('area', 'coords', /^(\d+,)+\d+$/);
allow('area', 'rel', /^[\s\p{L}\p{N}_-]+$/u);
allow('area', 'shape', /^(default|circle|rect|poly)$/i);
allow('bdi', 'dir', /^(rtl|ltr)$/i);
allow('meter', 'value min max low high optimum', NUMBER);
allow('progress', 'value max', NUMBER);
allow('col colgroup', 'align', CELL_ALIGN);
allow('col colgroup', 'height width', SIZE);
allow('col colgroup', 'span', INTEGER);
allow('col colgroup', 'valign', CELL_VALIGN);
allow('input', 'type', /^checkbox$/);
allow('input', 'checked disabled data-source-position', true);
allow('svg', 'viewbox width height aria-hidden', true);
allow('path', 'fill-rule d', true);
allow('span', 'class', /^\w{0,2}$/);
allow('span', 'data-line-number', true);
allow('li', 'class', /^(unchecked|checked|indeterminate)$/);

/** Elements whose `style` may set colors. */
export const COLOURED = new Set(words('div span p tr th td'));

/** Attributes that contain URLs, by element. */
export const URLS = new Map<string, string>([
  ...words('a area').map((name): [string, string] => [name, 'href']),
  ...words('blockquote q del ins').map((name): [string, string] => [name, 'cite']),
  ...words('img video').map((name): [string, string] => [name, 'src']),
]);
