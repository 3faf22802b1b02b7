import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEditorConfig, rulesFor } from '../../src/code/editorconfig/editorconfig.ts';
import { matchesGlob } from '../../src/code/editorconfig/glob.ts';
import { branchMatcher, pathMatcher, tagMatcher } from '../../src/code/protections/patterns.ts';
import { RenderLimitError, withDeadline } from '../../src/markup/deadline.ts';
import { renderCsv } from '../../src/markup/files/csv.ts';
import { highlight } from '../../src/markup/highlight.ts';
import { readFrontMatter } from '../../src/markup/markdown/front-matter.ts';
import { parseMarkdown } from '../../src/markup/markdown/markdown.ts';
import { parseOrg } from '../../src/markup/org/org.ts';
import { findInMarkdown, findInText } from '../../src/markup/references.ts';
import { parseCodeOwners } from '../../src/pulls/code-owners/parse.ts';
import { pathPatterns } from '../../src/repositories/generate/patterns.ts';
import { TemplateError } from '../../src/repositories/issue-templates/error.ts';
import { readTemplate } from '../../src/repositories/issue-templates/read-template.ts';
import { parseYaml } from '../../src/repositories/issue-templates/yaml.ts';
import { assertLinear, type GrowthOptions, repetitionsOf } from './growth.ts';

/** Characters of a text: up to as many are read on the main thread. */
const SIZE = 4096;

const GLOB = ['a', '*', '**', '/', '?', '[', ']', '!', '{', '}', ',', '..', '1', '\\', '.'];
const YAML = [
  'a',
  ':',
  '- ',
  '? ',
  '\n',
  '  ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '&a ',
  '*a ',
  '!a ',
  '|\n',
  '>\n',
  '#',
  '---\n',
  '%',
  '\t',
];
const MARKDOWN = [
  'a',
  ' ',
  '\n',
  '*',
  '_',
  '`',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '#',
  '- ',
  '1. ',
  '|',
  '~',
  '$',
  '!',
  '&',
  '\\',
  ':',
  '    ',
  '@a',
  '^',
];
const ORG = [
  'a',
  ' ',
  '\n',
  '* ',
  '*',
  '/',
  '_',
  '=',
  '~',
  '[[',
  ']]',
  '][',
  '|',
  '- ',
  '#+BEGIN_SRC\n',
  '#+END_SRC\n',
  ':',
  '<',
  '>',
  '\\',
  '+',
];
const TEXT = ['a', ' ', '\n', '#1', '!1', 'a/b#1', '@a', '@a/b', 'fixes ', 'https://x/', '/issues/1', ':', '(', '[', '-', '.'];

const CASES: [string, (text: string) => unknown, GrowthOptions][] = [
  ['lines of an .editorconfig', parseEditorConfig, { atoms: ['a', ' ', '=', ':', '\n', '[', ']', '#', ';', '\t', '\r'] }],
  ['names of its sections', (text) => rulesFor(parseEditorConfig(text), 'a/b.c'), { atoms: GLOB, before: '[', after: ']\na=b' }],
  ['its patterns', (text) => matchesGlob(`/${text}`, `/${'a/'.repeat(1000)}b`), { atoms: GLOB, size: 250 }],
  ['paths for its patterns', (text) => matchesGlob('/**a*{a,b}[a-c]?{1..9}**', `/${text}`), { atoms: ['a', '/', '1', '.'], size: 250 }],
  ['code owners', parseCodeOwners, { atoms: ['a', ' ', '\t', '@a', '#', '\\', '\n', '!', '/', '*'] }],
  ['patterns of a template', (text) => pathPatterns(text)('a/'.repeat(200)), { atoms: [...GLOB, '\n', '#'], size: 2048 }],
  ['names of protected branches', (text) => branchMatcher(text)('a/'.repeat(100)), { atoms: GLOB, size: 64 }],
  ['names of protected tags', (text) => tagMatcher(text)('a'.repeat(200)), { atoms: GLOB, size: 64 }],
  ['protected paths', (text) => pathMatcher(text)?.('a/'.repeat(200)), { atoms: [...GLOB, ';'], size: 256 }],
  ['paths that are protected', (text) => pathMatcher('**a*a?[a-c]{a,b}**')?.(text), { atoms: ['a', '/', '.'], size: 512 }],
  ['tables of values', (text) => renderCsv(text, 'x.csv', '/raw'), { atoms: ['a', ',', ';', '\t', '"', '\n', '\r', '|', ' '] }],
  ['references and mentions in Markdown', (text) => findInMarkdown(text, 'https://x/'), { atoms: [...MARKDOWN, ...TEXT] }],
  ['references and mentions in messages', (text) => findInText(text, 'https://x/'), { atoms: TEXT }],
];

/** Parsers of others have corners that are not linear: they run in workers, and are ended wherever they are. */
const BOUNDED: [string, (text: string) => unknown, GrowthOptions][] = [
  ['YAML', parseYaml, { atoms: YAML }],
  ['forms', (text) => readTemplate('a.yaml', `name: a\nabout: a\nbody: ${text}`), { atoms: YAML }],
  ['templates', (text) => readTemplate('a.md', text), { atoms: ['---\n', ' ', '-', '\n', 'a', ': '], before: '---\n' }],
  ['front matter', readFrontMatter, { atoms: YAML, before: '---\n', after: '\n---\n' }],
  ['Markdown', (text) => parseMarkdown(text, true, undefined), { atoms: MARKDOWN }],
  ['Org', (text) => parseOrg(text, undefined), { atoms: ORG }],
  ...['javascript', 'python', 'xml', 'bash', 'cpp', 'yaml', 'markdown'].map(
    (language): [string, (text: string) => unknown, GrowthOptions] => [
      `highlighting of ${language}`,
      (text) => highlight(text, language),
      { atoms: ['a', ' ', '\n', '"', "'", '(', '<', '/*', '//', '#', '{', '0', '=', '@', '`', '$'], count: 4 },
    ],
  ),
];

describe('time for contrived', () => {
  for (const [name, parse, options] of CASES) {
    it(name, () => assertLinear(parse, { count: 6, ...options }));
  }
});

describe('answers to contrived', () => {
  for (const [name, parse, { before = '', after = '', ...options }] of BOUNDED) {
    it(name, () => {
      for (const repetition of repetitionsOf({ count: 6, ...options })) {
        try {
          withDeadline(Number.POSITIVE_INFINITY, 800, () => parse(before + repetition.build(SIZE) + after));
        } catch (error) {
          assert.ok(error instanceof TemplateError || error instanceof RenderLimitError, `${repetition.name}: ${error}`);
        }
      }
    });
  }
});
