/** A name that a source defines. */
export interface SourceSymbol {
  readonly name: string;
  readonly kind: 'function' | 'type' | 'constant';
  /** From 1. */
  readonly line: number;
  /** Its nesting depth, from 0. */
  readonly depth: number;
}

/** A source, and the grammar of its language. */
export interface SymbolRequest {
  readonly text: string;
  readonly grammar: string;
}

/** Limits of a source: lines, characters of a line, names. */
const MAX_LINES = 50_000;
const MAX_LINE = 400;
const MAX_SYMBOLS = 500;
const MAX_DEPTH = 4;

type Rule = readonly [kind: SourceSymbol['kind'], pattern: RegExp];

/** Words before a bracket that are not names of functions. */
const NO_NAMES = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'function',
  'else',
  'do',
  'sizeof',
  'new',
  'throw',
  'await',
  'constructor',
]);

const SCRIPT: readonly Rule[] = [
  ['function', /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/],
  ['type', /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:class|interface|enum|namespace)\s+([\w$]+)/],
  ['type', /^\s*(?:export\s+)?(?:declare\s+)?type\s+([\w$]+)[^=]{0,80}=/],
  ['constant', /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([\w$]+)/],
  [
    'function',
    /^\s+(?:(?:public|private|protected|static|readonly|override|async|get|set)\s+)*[*#]?([\w$]+)\s*(?:<[^>]{0,80}>)?\([^;]{0,200}\{\s*$/,
  ],
];
const C_LIKE: readonly Rule[] = [
  ['type', /^\s*(?:typedef\s+)?(?:template\s*<[^>]{0,120}>\s*)?(?:struct|class|enum(?:\s+class)?|union|namespace)\s+(\w+)[^;]{0,160}$/],
  ['constant', /^#\s*define\s+(\w+)/],
  ['function', /^(?:[\w:<>,*&~]+\s+){1,6}[*&]{0,3}((?:\w+::)*~?\w+)\s*\([^;]{0,240}$/],
];

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  python: [
    ['function', /^\s*(?:async\s+)?def\s+(\w+)/],
    ['type', /^\s*class\s+(\w+)/],
    ['constant', /^([A-Z][A-Z0-9_]{2,})\s*(?::[^=]{0,80})?=/],
  ],
  go: [
    ['function', /^func\s+(?:\([^)]{0,120}\)\s*)?(\w+)/],
    ['type', /^type\s+(\w+)/],
    ['constant', /^(?:const|var)\s+(\w+)/],
  ],
  rust: [
    [
      'function',
      /^\s*(?:pub(?:\([^)]{0,40}\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"[^"]{0,20}"\s+)?fn\s+(\w+)/,
    ],
    ['type', /^\s*(?:pub(?:\([^)]{0,40}\))?\s+)?(?:struct|enum|trait|union|mod|type)\s+(\w+)/],
    ['type', /^\s*impl(?:<[^>]{0,120}>)?\s+([\w:<>, ]{1,120}?)\s*(?:where\b|\{|$)/],
    ['constant', /^\s*(?:pub(?:\([^)]{0,40}\))?\s+)?(?:const|static)\s+(\w+)/],
    ['function', /^\s*macro_rules!\s+(\w+)/],
  ],
  java: [
    ['type', /^\s*(?:(?:public|private|protected|static|final|abstract|sealed)\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)/],
    [
      'function',
      /^\s+(?:(?:public|private|protected|static|final|abstract|synchronized|native|default)\s+)*(?:<[^>]{0,80}>\s+)?[\w.<>[\],?]{1,80}\s+(\w+)\s*\([^;]{0,240}$/,
    ],
  ],
  c: C_LIKE,
  cpp: C_LIKE,
  ruby: [
    ['function', /^\s*def\s+((?:self\.)?\w+[?!=]?)/],
    ['type', /^\s*(?:class|module)\s+([\w:]+)/],
    ['constant', /^\s*([A-Z][A-Z0-9_]{2,})\s*=/],
  ],
  php: [
    ['function', /^\s*(?:(?:public|private|protected|static|final|abstract)\s+)*function\s+&?(\w+)/],
    ['type', /^\s*(?:(?:final|abstract|readonly)\s+)*(?:class|interface|trait|enum)\s+(\w+)/],
    ['constant', /^\s*(?:(?:public|private|protected|final)\s+)*const\s+(?:\w+\s+)?(\w+)\s*=/],
  ],
};

const ALIASES: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  rs: 'rust',
  rb: 'ruby',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
  'c++': 'cpp',
};

/** Whether names are looked for in a language. */
export function hasSymbols(grammar: string): boolean {
  return Object.hasOwn(RULES, ALIASES[grammar] ?? grammar);
}

/** The names that a source defines, found line by line: quick, and right for source that is formatted as usual. */
export function run({ text, grammar }: SymbolRequest): SourceSymbol[] {
  const name = ALIASES[grammar] ?? grammar;
  const rules = Object.hasOwn(RULES, name) ? (RULES[name] ?? []) : [];
  const found: SourceSymbol[] = [];
  const indents: number[] = [];
  for (const [index, line] of text.split('\n', MAX_LINES).entries()) {
    if (line.length > MAX_LINE || /^\s*(?:\/\/|\*|--)/.test(line)) continue;
    const match = matchOf(rules, line.trimEnd());
    if (!match) continue;
    const indent = line.length - line.trimStart().length;
    while (indents.length > 0 && (indents.at(-1) ?? 0) >= indent) indents.pop();
    found.push({ ...match, line: index + 1, depth: Math.min(indents.length, MAX_DEPTH) });
    indents.push(indent);
    if (found.length >= MAX_SYMBOLS) break;
  }
  return found;
}

function matchOf(rules: readonly Rule[], line: string): Pick<SourceSymbol, 'name' | 'kind'> | undefined {
  for (const [kind, pattern] of rules) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined && !NO_NAMES.has(name)) return { name, kind };
  }
  return undefined;
}
