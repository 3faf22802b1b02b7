import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSshPublicKey } from '../../src/accounts/keys/ssh-public-key.ts';
import { parseSignature } from '../../src/accounts/sign-in/http-signature.ts';
import { parseEditorConfig, rulesFor } from '../../src/code/editorconfig/editorconfig.ts';
import { matchesGlob } from '../../src/code/editorconfig/glob.ts';
import { branchMatcher, pathMatcher, tagMatcher } from '../../src/code/protections/patterns.ts';
import { parseDiff } from '../../src/git/diff/patch-text.ts';
import { cleanMessage } from '../../src/git/history/messages.ts';
import { cleanIdentity } from '../../src/git/objects/format-identity.ts';
import { parseSubmodules } from '../../src/git/trees/gitmodules.ts';
import { acceptedEncoding } from '../../src/http/accepted-encoding.ts';
import { readRange } from '../../src/http/byte-range.ts';
import { readCookie } from '../../src/http/cookies.ts';
import { RenderLimitError, withDeadline } from '../../src/markup/deadline.ts';
import { renderCsv } from '../../src/markup/files/csv.ts';
import { highlight } from '../../src/markup/highlight.ts';
import { readFrontMatter } from '../../src/markup/markdown/front-matter.ts';
import { parseMarkdown } from '../../src/markup/markdown/markdown.ts';
import { parseOrg } from '../../src/markup/org/org.ts';
import { findInMarkdown, findInText } from '../../src/markup/references.ts';
import { parseXml } from '../../src/packages/archives/xml.ts';
import { parseConanfile } from '../../src/packages/conan/documents.ts';
import { parseDescription } from '../../src/packages/cran/description.ts';
import { parseControl } from '../../src/packages/debian/control.ts';
import { parseCodeOwners } from '../../src/pulls/code-owners/parse.ts';
import { addTrailer } from '../../src/pulls/merge/trailers.ts';
import { pathPatterns } from '../../src/repositories/generate/patterns.ts';
import { TemplateError } from '../../src/repositories/issue-templates/error.ts';
import { readTemplate } from '../../src/repositories/issue-templates/read-template.ts';
import { parseYaml } from '../../src/repositories/issue-templates/yaml.ts';
import { parseCommand } from '../../src/ssh/command.ts';
import { languageOf } from '../../src/web/languages/languages.ts';
import { wholeMessage } from '../../src/webhooks/chat/commits.ts';
import type { ChatCommit } from '../../src/webhooks/chat/payload.ts';
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
/** What lines and texts are trimmed of, and what is easily taken for it. */
const BLANKS = ['a', ' ', '\t', '\n', '\r', '\v', '\0', '\u00a0', '\u2028', '.', '<'];
const XML = [
  'a',
  ' ',
  '<',
  '>',
  '/>',
  '<a',
  '</a>',
  '<a>',
  '=',
  '"',
  "'",
  '&',
  ';',
  '&amp;',
  '&#1;',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?a ',
  '?>',
  ':',
  '\n',
];
const HEADER = ['a', ' ', '\t', ';', ',', 'q=', '0', '.', '*'];
const TEXT = ['a', ' ', '\n', '#1', '!1', 'a/b#1', '@a', '@a/b', 'fixes ', 'https://x/', '/issues/1', ':', '(', '[', '-', '.'];

const CASES: [string, (text: string) => unknown, GrowthOptions][] = [
  [
    'lines of an .editorconfig',
    parseEditorConfig,
    { atoms: ['a', ' ', '=', ':', '\n', '[', ']', '#', ';', '\t', '\r', '\u2028'], before: '[*]\na=' },
  ],
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
  ['messages that become commits', cleanMessage, { atoms: BLANKS }],
  ['people in commits', cleanIdentity, { atoms: BLANKS }],
  ['trailers', (text) => addTrailer(text, 'Co-authored-by', 'a'), { atoms: [...BLANKS, 'A-b: c\n'] }],
  ['messages in chats', (message) => wholeMessage({ message } as ChatCommit), { atoms: BLANKS }],
  ['submodules', parseSubmodules, { atoms: [...BLANKS, '[submodule "a"]\n', 'path=a\n', '['] }],
  ['patches', parseDiff, { atoms: [...BLANKS, 'diff --git a/a b/a\n', '--- a\n', '+++ b\n', '@@ -1 +1 @@\n', '+a\n', '-a\n', ' a\n'] }],
  ['signatures of requests', parseSignature, { atoms: ['a', '=', '"', ' ', ',', '1', 'keyId="a",', 'signature="a"'] }],
  ['encodings that a client accepts', (text) => acceptedEncoding(text, ['br']), { atoms: HEADER, before: 'a', after: 'b' }],
  ['languages that a client accepts', (text) => languageOf('', text), { atoms: HEADER, before: 'a', after: 'b' }],
  ['cookies', (text) => readCookie(text, 'a'), { atoms: [...HEADER, '"', 'a='] }],
  ['ranges', (text) => readRange(text, 1000), { atoms: ['0', '-', ',', ' '], before: 'bytes=' }],
  ['commands over SSH', parseCommand, { atoms: ['a', ' ', "'", '"', '\\', '/'], before: 'git-upload-pack ' }],
  ['keys of SSH', (text) => readSshPublicKey(text, 2048), { atoms: ['ssh-rsa ', 'AAAA', ' ', '\n', '-', ':', '='] }],
  ['XML of packages', parseXml, { atoms: XML, before: '<r>', after: '</r>' }],
  ['attributes in XML', parseXml, { atoms: XML, before: '<r ', after: '/>' }],
  ['control files of packages', parseControl, { atoms: [...BLANKS, 'A: b\n', ' a\n', ' .\n', ':'] }],
  ['recipes', parseConanfile, { atoms: [...BLANKS, 'name = ', '"', '(', ','] }],
  [
    'descriptions of packages',
    parseDescription,
    { atoms: [...BLANKS, '(', '[', ')', '<', ','], before: 'Package: ab\nVersion: 1.0\nAuthor: ' },
  ],
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
