import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { readingCode } from './deadline.ts';

const require = createRequire(import.meta.url);

/** Other names of languages, and the names of their grammars. */
const ALIASES: Record<string, string> = {
  bat: 'dos',
  c: 'c',
  'c#': 'csharp',
  cc: 'cpp',
  console: 'shell',
  'c++': 'cpp',
  cs: 'csharp',
  docker: 'dockerfile',
  ex: 'elixir',
  exs: 'elixir',
  golang: 'go',
  gql: 'graphql',
  h: 'c',
  hpp: 'cpp',
  hs: 'haskell',
  htm: 'xml',
  html: 'xml',
  jl: 'julia',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mjs: 'javascript',
  objc: 'objectivec',
  patch: 'diff',
  pl: 'perl',
  ps1: 'powershell',
  psql: 'pgsql',
  py: 'python',
  py3: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  svg: 'xml',
  tex: 'latex',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vb: 'vbnet',
  viml: 'vim',
  yml: 'yaml',
  zsh: 'bash',
};

/** The short class names of pages' style sheets (those of Pygments and Chroma) for the highlighter's scopes. */
const CLASSES: Record<string, string> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'k',
  code: 's',
  comment: 'c',
  deletion: 'gd',
  doctag: 'c',
  emphasis: 'ge',
  formula: 's',
  keyword: 'k',
  link: 's',
  literal: 'kc',
  meta: 'cp',
  name: 'nt',
  number: 'm',
  operator: 'o',
  params: '',
  property: 'nx',
  punctuation: 'p',
  quote: 'c',
  regexp: 'sr',
  section: 'gh',
  selector: 'nt',
  string: 's',
  strong: 'gs',
  subst: 'si',
  symbol: 'ss',
  tag: 'p',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  type: 'kt',
  variable: 'nv',
  'selector-tag': 'nt',
  'selector-id': 'nf',
  'selector-class': 'nc',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  char: 'se',
};

let highlighter: HLJSApi | undefined;

/**
 * `source` as HTML with a span around each word of the language, classes of one or two letters; undefined when the language is
 * unknown. A grammar is loaded when its language is first met.
 */
export function highlight(source: string, language: string): string | undefined {
  highlighter ??= require('highlight.js/lib/core') as HLJSApi;
  const hljs = highlighter;
  const name = grammar(hljs, language.toLowerCase());
  if (!name) return undefined;
  const { value } = readingCode(source, () => hljs.highlight(source, { language: name, ignoreIllegals: true }));
  return value.replace(/<span class="(?:hljs-([\w-]+)|[^"]*)[^"]*">/g, (_span, scope: string | undefined) => {
    const short = scope === undefined ? '' : (CLASSES[scope.replace(/_$/, '')] ?? '');
    return short ? `<span class="${short}">` : '<span>';
  });
}

function grammar(hljs: HLJSApi, language: string): string | undefined {
  const name = ALIASES[language] ?? language;
  if (hljs.getLanguage(name)) return name;
  // The name becomes part of a module's path.
  if (!/^[a-z0-9][a-z0-9_-]{0,30}$/.test(name)) return undefined;
  try {
    hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`) as LanguageFn);
    return name;
  } catch {
    return undefined;
  }
}
