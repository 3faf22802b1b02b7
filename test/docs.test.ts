import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ALL_SETTINGS } from '../src/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];
/** Files that the guides for newcomers add as an example. */
const EXAMPLES = /\/TYPE|\/greetings/;

/** All matches of a pattern, each with its document. */
function mentions(pattern: RegExp): { document: string; name: string }[] {
  return DOCUMENTS.flatMap((document) =>
    [...readFileSync(join(ROOT, document), 'utf8').matchAll(pattern)].map(([, name = '']) => ({ document, name })),
  );
}

describe('documentation', () => {
  it('links to files that exist', () => {
    const links = mentions(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g);
    assert.ok(links.length > 20);
    assert.deepEqual(
      links.filter(({ document, name }) => !existsSync(join(ROOT, document, '..', name))),
      [],
    );
  });

  it('links to headings that exist', () => {
    const links = mentions(/\]\((?!https?:|mailto:)([^)\s]*#[^)\s]+)\)/g);
    assert.ok(links.length > 10);
    const broken = links.filter(({ document, name }) => {
      const [file, heading = ''] = name.split('#', 2);
      const target = file ? join(ROOT, document, '..', file) : join(ROOT, document);
      return existsSync(target) && !anchorsOf(readFileSync(target, 'utf8')).has(heading);
    });
    assert.deepEqual(broken, []);
  });

  it('names paths that exist', () => {
    const paths = mentions(/`((?:src|test|docs|bench|ops|bin|scripts)\/[\w./-]+)`/g).filter(({ name }) => !EXAMPLES.test(name));
    assert.ok(paths.length > 20);
    assert.deepEqual(
      paths.filter(({ name }) => !existsSync(join(ROOT, name))),
      [],
    );
  });

  it('names environment variables that exist', () => {
    const sources = ['test', 'ops', 'bin', '.ci'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.json'))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    );
    const isUsed = (name: string) => sources.some((source) => source.includes(name));
    const known = new Set(ALL_SETTINGS.flatMap(({ variable }) => [variable, `${variable}_FILE`]));
    const unknown = mentions(/\b(COPSE_[A-Z][A-Z0-9_]*[A-Z0-9])\b/g).filter(({ name }) => !known.has(name) && name !== 'COPSE_SETTINGS');
    assert.deepEqual(
      unknown.filter(({ name }) => !isUsed(name)),
      [],
    );
  });
});

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll(/`|\*|\[|\]\([^)]*\)/g, ''));
  return new Set(
    headings.map((heading) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}
