import { createRequire } from 'node:module';
import type { X2jOptions, XMLParser } from 'fast-xml-parser';
import { invalid } from '../errors.ts';

/** Size limit of a document in bytes. */
export const MAX_XML = 1024 * 1024;
/** Maximum depth of elements. */
const MAX_DEPTH = 100;

const OPTIONS: X2jOptions = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  // Those of XML alone: a document that declares others is refused.
  processEntities: true,
  htmlEntities: false,
};
let parser: XMLParser | undefined;

/**
 * Reads an XML document, such as a POM or a nuspec: elements as properties without their prefixes, attributes with `@` before their names,
 * all values as texts.
 * @throws PackageError 400 for invalid XML, a document type or entities, and for a document that is too large or nested too deeply
 */
export function parseXml(document: Buffer | string, maxBytes = MAX_XML): Record<string, unknown> {
  const text = typeof document === 'string' ? document : decode(document);
  if (text.length > maxBytes) throw invalid(`the XML has more than ${maxBytes} bytes`);
  if (/<!(?:doctype|entity)/i.test(text)) throw invalid('the XML declares a document type');
  if (depthOf(text) > MAX_DEPTH) throw invalid(`the XML has more than ${MAX_DEPTH} elements within each other`);
  try {
    const parsed: unknown = openParser().parse(text, true);
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch (error) {
    throw invalid(`the XML cannot be read: ${(error as Error).message}`);
  }
  throw invalid('the XML has no element');
}

/** Few servers read XML, so its parser is loaded with the first document. */
function openParser(): XMLParser {
  parser ??= new (createRequire(import.meta.url)('fast-xml-parser') as typeof import('fast-xml-parser')).XMLParser(OPTIONS);
  return parser;
}

/** The text of an element's child; the last one if there are several, empty if there is none. */
export function childText(element: unknown, name: string): string {
  const value = childElements(element, name).at(-1);
  if (typeof value === 'string') return value.trim();
  const text = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['#text'] : undefined;
  return typeof text === 'string' ? text.trim() : '';
}

/** The children of an element that have this name. */
export function childElements(element: unknown, name: string): readonly unknown[] {
  const value = typeof element === 'object' && element !== null ? (element as Record<string, unknown>)[name] : undefined;
  return value === undefined ? [] : [value].flat();
}

/** By the encoding that the document declares, or by its first bytes. */
function decode(document: Buffer): string {
  const declared = /^.{0,3}<\?xml[^>]{0,100}\sencoding\s*=\s*["']([\w.:-]{1,40})["']/s.exec(
    document.subarray(0, 200).toString('latin1'),
  )?.[1];
  const isUtf16 = document[0] === 0xff || document[0] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? `utf-16${document[0] === 0xff ? 'le' : 'be'}` : declared).decode(document);
  } catch {
    throw invalid(`the XML has the unknown encoding ${declared}`);
  }
}

/** An upper estimate of the depth of elements, without parsing. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let end = -1;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const next = text[at + 1] ?? '';
    if (next === '/') depth--;
    else if (next !== '!' && next !== '?') {
      // Of many that end at the same place, the first one finds it.
      if (end < at) end = text.indexOf('>', at);
      if (end < 0) break;
      if (text[end - 1] !== '/') deepest = Math.max(deepest, ++depth);
    }
  }
  return deepest;
}
