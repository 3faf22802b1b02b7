import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment } from 'parse5';

/** A node of parsed HTML. */
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
/** An element of parsed HTML. */
export type HtmlElement = DefaultTreeAdapterTypes.Element;
/** A text node of parsed HTML. */
export type HtmlText = DefaultTreeAdapterTypes.TextNode;
/** A template, whose content is not one of its children. */
export type HtmlTemplate = DefaultTreeAdapterTypes.Template;
/** A node that has children. */
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Deeper elements are left out, their text is retained: browsers stop at 512, and recursion must not exhaust the stack. */
export const MAX_DEPTH = 200;

/** The elements that HTML's parser keeps a list of (https://html.spec.whatwg.org/#formatting); the reference writes their attributes sorted. */
const FORMATTING = new Set(['a', 'b', 'big', 'code', 'em', 'font', 'i', 'nobr', 's', 'small', 'strike', 'strong', 'tt', 'u']);

/** Elements as pages without a doctype have them: a table stands in its paragraph. */
const adapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  getDocumentMode: () => html.DOCUMENT_MODE.QUIRKS,
  // An element that is opened again behind its end has attributes of its own.
  createElement: (tagName, namespace, attrs) =>
    defaultTreeAdapter.createElement(
      tagName,
      namespace,
      attrs.map((attr) => ({ ...attr })),
    ),
};

const sorting: typeof defaultTreeAdapter = {
  ...adapter,
  createElement(tagName, namespace, attrs) {
    const element = adapter.createElement(tagName, namespace, attrs);
    if (FORMATTING.has(tagName)) element.attrs.sort((a, b) => (a.name < b.name ? -1 : 1));
    return element;
  },
};

/** Parses `source` as it would stand in the body of a page, `sorted` or not in the attributes of formatting elements. */
export function parseHtml(source: string, sorted = false): HtmlParent {
  const body = defaultTreeAdapter.createElement('body', html.NS.HTML, []);
  const fragment = parseFragment(body, source, { treeAdapter: sorted ? sorting : adapter });
  return fragment;
}

/** Whether the node is an element. */
export function isElement(node: HtmlNode | HtmlParent | null | undefined): node is HtmlElement {
  return !!node && 'tagName' in node;
}

/** Whether the node is text. */
export function isText(node: HtmlNode): node is HtmlText {
  return node.nodeName === '#text';
}

/** A new element of HTML with attributes in this order and text or nodes within. */
export function element(tagName: string, attributes: Record<string, string>, ...children: (HtmlNode | string)[]): HtmlElement {
  const made = defaultTreeAdapter.createElement(
    tagName,
    html.NS.HTML,
    Object.entries(attributes).map(([name, value]) => ({ name, value })),
  );
  setChildren(made, children);
  return made;
}

/** Makes `children` the children of `parent`; strings become text nodes, empty ones are left out. */
export function setChildren(parent: HtmlParent, children: readonly (HtmlNode | string)[]): void {
  const nodes: HtmlNode[] = [];
  for (const child of children) {
    if (child === '') continue;
    const node = typeof child === 'string' ? defaultTreeAdapter.createTextNode(child) : child;
    node.parentNode = parent;
    nodes.push(node);
  }
  parent.childNodes = nodes;
}

/** The value of an attribute, or undefined. */
export function attribute(node: HtmlElement, name: string): string | undefined {
  return node.attrs.find((attr) => attr.name === name)?.value;
}

/** All text within, in order; walks without recursion, so any depth will do. */
export function textContent(node: HtmlNode | HtmlParent): string {
  let text = '';
  const pending: (HtmlNode | HtmlParent)[] = [node];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.nodeName === '#text') text += (next as HtmlText).value;
    else if ('childNodes' in next) for (let i = next.childNodes.length - 1; i >= 0; i--) pending.push(next.childNodes[i] as HtmlNode);
  }
  return text;
}
