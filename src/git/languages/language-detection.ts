import { createContext, Script } from 'node:vm';
import { linguistData } from './linguist-data.ts';

/** Of languages that share an extension and cannot be distinguished otherwise, the more common one. */
const POPULAR = [
  'C',
  'C++',
  'JavaScript',
  'TypeScript',
  'Python',
  'Java',
  'C#',
  'PHP',
  'Ruby',
  'Rust',
  'HTML',
  'CSS',
  'Markdown',
  'YAML',
  'JSON',
  'XML',
  'SQL',
  'Perl',
  'MATLAB',
  'Objective-C',
  'Assembly',
  'Text',
];

/** Timeout in milliseconds: Linguist's expressions backtrack, and a file can be crafted to exploit that. */
const DEADLINE_MS = 250;

/**
 * The language of a file by its name and its first bytes, as Linguist detects it; `undefined` if unknown. The content is only examined
 * where the name is ambiguous.
 */
export function detectLanguage(path: string, content: Buffer): string | undefined {
  const byExtension = languagesByExtension(path);
  if (byExtension.length === 1) return byExtension[0];
  const byFilename = linguistData().byFilename.get(baseName(path)) ?? [];
  if (byFilename.length === 1) return byFilename[0];
  if (content.length === 0 || content.includes(0)) return undefined;
  const text = content.toString('utf8');
  let candidates: readonly string[] = [];
  for (const strategy of [byModeline, () => byFilename, byShebang, () => byExtension, byXmlHeader, byManualPage]) {
    const found = strategy(text, path, candidates);
    if (found.length === 1) return found[0];
    if (found.length > 1) candidates = found;
  }
  const found = byHeuristics(text, path);
  if (found.length === 1) return found[0];
  const rest = found.length > 0 ? found : candidates;
  return POPULAR.find((name) => rest.includes(name)) ?? rest[0];
}

/** The languages of a name's longest known extension. */
export function languagesByExtension(path: string): readonly string[] {
  const name = baseName(path).toLowerCase();
  const { byExtension } = linguistData();
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const found = byExtension.get(name.slice(dot));
    if (found) return found;
  }
  return [];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Modelines of Emacs or Vim, in the first or last five lines. */
function byModeline(text: string): readonly string[] {
  const lines = text.split('\n');
  for (const line of new Set([...lines.slice(0, 5), ...lines.slice(-5)])) {
    const short = line.slice(0, 500);
    const emacs = /-\*-\s*(?:[^*]*\bmode:\s*)?([\w+#-]+)\s*(?:;[^*]*)?-\*-/i.exec(short)?.[1];
    const vim = /\b(?:vi|vim|ex):\s*(?:set? )?.{0,200}?\b(?:ft|filetype|syntax)=(\w+)/.exec(short)?.[1];
    const language = linguistData().byAlias.get((emacs ?? vim ?? '').toLowerCase());
    if (language) return [language];
  }
  return [];
}

function byShebang(text: string): readonly string[] {
  const [, first = '', rest = ''] = /^#!\s*(\S+)[ \t]*(.*)/.exec(text) ?? [];
  let interpreter = baseName(first);
  if (interpreter === 'env') interpreter = baseName(rest.split(/\s+/).find((word) => !word.startsWith('-') && !word.includes('=')) ?? '');
  if (interpreter === 'sh') interpreter = /^exec (\w+).+\$0.+\$@/m.exec(text.slice(0, 500))?.[1] ?? 'sh';
  if (interpreter === 'osascript' && rest.includes('-l')) return [];
  const { byInterpreter } = linguistData();
  return byInterpreter.get(interpreter) ?? byInterpreter.get(interpreter.replace(/\.\d+$/, '')) ?? [];
}

function byXmlHeader(text: string, _path: string, candidates: readonly string[]): readonly string[] {
  return candidates.length === 0 && text.split('\n', 2).some((line) => line.includes('<?xml version=')) ? ['XML'] : [];
}

function byManualPage(_text: string, path: string): readonly string[] {
  return /\.(?:[1-9](?:[a-z_]+[a-z_0-9]*)?|0p|n|man|mdoc)(?:\.in)?$/.test(path.toLowerCase()) ? ['Roff Manpage', 'Roff'] : [];
}

function byHeuristics(text: string, path: string): readonly string[] {
  const extension = /\.[^./]*$/.exec(path.toLowerCase())?.[0] ?? '';
  const rules = linguistData().heuristics.get(extension);
  if (!rules) return [];
  return withDeadline(() => rules.find((rule) => rule.matches(text))?.languages ?? []) ?? [];
}

const SANDBOX: { call: () => unknown } = { call: () => undefined };
const CONTEXT = createContext(SANDBOX);
const CALL = new Script('call()');

/** The result of `call`, or `undefined` if that takes too long: the only way to end a regular expression that runs away (24). */
function withDeadline<T>(call: () => T): T | undefined {
  try {
    SANDBOX.call = call;
    return CALL.runInContext(CONTEXT, { timeout: DEADLINE_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
