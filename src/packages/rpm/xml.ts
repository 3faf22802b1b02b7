import { escapeXml } from '../../text/escape-xml.ts';

/** Values of attributes by their names; those that are undefined are left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An XML document. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

/** An element with elements in it. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(String(value))}"`],
  );
  return `<${name}${given.join('')}>${children.join('')}</${name}>`;
}

/** An element with a text in it. */
export function textElement(name: string, text: string | number, attributes: Attributes = {}): string {
  return element(name, attributes, [escapeXml(String(text))]);
}
