import { unprocessable } from './errors.ts';

/**
 * The JSON value that a body begins with; what follows it does not count. An empty body is an empty object.
 * @throws HttpError 422 `[]: …`
 */
export function parseJsonBody(text: string): unknown {
  if (/^[ \t\r\n]*$/.test(text)) return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    const end = endOfFirstValue(text);
    if (end < text.length) return parseJsonBody(text.slice(0, end));
    throw unprocessable(`[]: ${(error as Error).message}`);
  }
}

/** Where the object or list that a text begins with ends; the length of the text if it begins with neither or has no end. */
function endOfFirstValue(text: string): number {
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs;
  let depth = 0;
  if (!/^[ \t\r\n]*[{[]/.test(text)) return text.length;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    if (depth === 0) return index + 1;
  }
  return text.length;
}
