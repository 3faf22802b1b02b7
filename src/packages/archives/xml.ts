import { XMLParser } from 'fast-xml-parser';
import { invalid } from '../errors.ts';

/** Bytes of a document. */
const MAX_BYTES = 1024 * 1024;
/** Elements within each other. */
const MAX_DEPTH = 100;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  // Those of XML alone: a document that declares others is refused.
  processEntities: true,
  htmlEntities: false,
});

/**
 * Reads an XML document, such as a POM or a nuspec: elements as properties without their prefixes, attributes with `@` before their names,
 * all values as texts.
 * @throws PackageError 400 for what is no XML, declares a document type or entities, or is too large or nested too deeply
 */
export function parseXml(document: Buffer | string, maxBytes = MAX_BYTES): Record<string, unknown> {
  const text = typeof document === 'string' ? document : document.toString('utf8');
  if (text.length > maxBytes) throw invalid(`the XML has more than ${maxBytes} bytes`);
  if (/<!(?:doctype|entity)/i.test(text)) throw invalid('the XML declares a document type');
  if (depthOf(text) > MAX_DEPTH) throw invalid(`the XML has more than ${MAX_DEPTH} elements within each other`);
  try {
    const parsed: unknown = parser.parse(text, true);
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch (error) {
    throw invalid(`the XML cannot be read: ${(error as Error).message}`);
  }
  throw invalid('the XML has no element');
}

/** How deeply elements are nested at most, as far as that shows without reading them exactly. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const next = text[at + 1] ?? '';
    if (next === '/') depth--;
    else if (next !== '!' && next !== '?') {
      const end = text.indexOf('>', at);
      if (end < 0) break;
      if (text[end - 1] !== '/') deepest = Math.max(deepest, ++depth);
    }
  }
  return deepest;
}
