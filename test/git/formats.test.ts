import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { cleanMessage } from '../../src/git/history/messages.ts';
import { formatIdentity, formatSignature } from '../../src/git/objects/format-identity.ts';
import { parseIdentity } from '../../src/git/objects/identity.ts';
import { formatRawTree, parseRawTree } from '../../src/git/objects/tree-format.ts';
import { FLUSH_PACKET, packet, SectionReader } from '../../src/git/protocol/pkt-line.ts';
import { cleanFilePath } from '../../src/git/trees/file-paths.ts';
import { matchesName, matchesPath } from '../../src/git/trees/glob.ts';
import { formatLfsPointer, parseLfsPointer } from '../../src/git/trees/lfs-pointer.ts';
import { anyText, holds, textOf } from '../support/property.ts';

const hex = (length: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

describe('what is written in a format of git reads the same', () => {
  it('packets, in whatever pieces they come', () => {
    const line = anyText.filter((text) => !text.endsWith('\n'));
    const property = fc.property(fc.array(fc.array(line), { maxLength: 4 }), fc.integer({ min: 1, max: 50 }), (sections, size) => {
      const bytes = Buffer.concat(sections.flatMap((lines) => [...lines.map((text) => packet(`${text}\n`)), FLUSH_PACKET]));
      const reader = new SectionReader(1000);
      const read: string[][] = [];
      for (let at = 0; at < bytes.length; at += size) {
        reader.add(bytes.subarray(at, at + size));
        for (let section = reader.next(); section; section = reader.next()) read.push(section);
      }
      assert.deepEqual(read, sections);
    });
    holds(property);
  });

  it('trees, in the order of git', () => {
    const name = fc.string({
      unit: fc.integer({ min: 1, max: 255 }).map((byte) => String.fromCharCode(byte)),
      minLength: 1,
      maxLength: 12,
    });
    const mode = fc.constantFrom('040000', '100644', '100755', '120000', '160000') as fc.Arbitrary<'040000'>;
    const entry = fc.record({ mode, name: name.filter((text) => !text.includes('/')), oid: hex(40) }, { noNullPrototype: true });
    const property = fc.property(fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 8 }), (entries) => {
      const read = parseRawTree(formatRawTree(entries), 'sha1');
      const keyOf = ({ mode, name }: (typeof entries)[number]) => (mode === '040000' ? `${name}/` : name);
      assert.deepEqual(
        read,
        entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
      );
    });
    holds(property);
  });

  it('pointers to large files', () => {
    const pointer = fc.record({ oid: hex(64), size: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }) }, { noNullPrototype: true });
    holds(fc.property(pointer, (one) => assert.deepEqual(parseLfsPointer(Buffer.from(formatLfsPointer(one))), one)));
  });

  it('who made a commit, and when', () => {
    const signature = fc.record({
      name: anyText,
      email: anyText,
      seconds: fc.integer({ min: 0, max: 4_000_000_000 }),
      offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    });
    const property = fc.property(signature, (one) => {
      const [name, email] = formatIdentity(one).slice(0, -1).split(' <');
      fc.pre(name !== '');
      assert.deepEqual(parseIdentity(formatSignature(one)), { ...one, name, email });
    });
    holds(property);
  });
});

describe('messages', () => {
  it('are cleaned as git cleans them', () => {
    const property = fc.property(textOf(['a', '#', ' ', '\t', '\r', '\n', '\n\n', 'é'], 12), fc.boolean(), (text, dropComments) => {
      const stripped = execFileSync('git', ['stripspace', ...(dropComments ? ['--strip-comments'] : [])], { input: text });
      assert.equal(cleanMessage(text, { dropComments }), stripped.toString());
    });
    holds(property, 150);
  });
});

describe('patterns', () => {
  /** The plainest matcher there is. */
  const matches = (pattern: readonly string[], text: readonly string[]): boolean => {
    const [sign, ...rest] = pattern;
    if (sign === undefined) return text.length === 0;
    if (sign === '*') return matches(rest, text) || (text.length > 0 && matches(pattern, text.slice(1)));
    return text.length > 0 && (sign === '?' || sign === text[0]) && matches(rest, text.slice(1));
  };

  it('of names match what they say', () => {
    const property = fc.property(textOf(['a', 'b', '?', '*']), textOf(['a', 'b']), (pattern, name) => {
      assert.equal(matchesName(pattern, name), matches([...pattern], [...name]));
    });
    holds(property, 2000);
  });

  it('of paths match each name by its part, and any folders by two stars', () => {
    const part = fc.oneof(textOf(['a', 'b', '?', '*'], 3), fc.constant('**'));
    const paths = fc.array(textOf(['a', 'b'], 2), { minLength: 1, maxLength: 4 });
    const inParts = (pattern: readonly string[], names: readonly string[]): boolean => {
      const [part, ...rest] = pattern;
      if (part === undefined) return names.length === 0;
      // At the end it stands for something in the folder.
      if (part === '**') return names.some((_, index) => inParts(rest, names.slice(index))) || (rest.length === 0 && names.length > 0);
      return names.length > 0 && matches([...part], [...(names[0] ?? '')]) && inParts(rest, names.slice(1));
    };
    const property = fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), paths, (pattern, names) => {
      assert.equal(matchesPath(pattern.join('/'), names.join('/')), inParts(pattern, names));
    });
    holds(property, 2000);
  });
});

describe('paths of files', () => {
  it('stay below the root, name nothing of git’s own, and are clean once they were cleaned', () => {
    const pieces = ['a', '.', '..', '/', '//', '.git', '.GIT', 'git~1', '\\', ' ', '\u200c', '\n', ':x', 'é'];
    const property = fc.property(textOf(pieces), (path) => {
      const cleaned = cleanFilePath(path);
      fc.pre(cleaned !== undefined);
      assert.equal(cleanFilePath(cleaned), cleaned);
      for (const name of cleaned.split('/')) assert.ok(!['', '.', '..', '.git'].includes(name.toLowerCase()), cleaned);
    });
    holds(property, 1000);
  });
});
