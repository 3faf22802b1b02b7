import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, it } from 'node:test';

const TESTS = import.meta.dirname;
const SOURCE = join(TESTS, '..', 'src');

/**
 * The layers from the bottom: a file imports its own layer and those before it. A part is a folder or a file of `src/`; the most exact
 * one counts. Parts on one line do not import each other.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['tracing'],
  ['clock.ts', 'start-error.ts', 'module-resolution.ts', 'node-http.ts', 'text', 'caches', 'concurrency/semaphore.ts'],
  ['workers'],
  ['settings', 'settings.ts'],
  ['concurrency'],
  ['log', 'log.ts', 'metrics', 'secrets.ts'],
  ['git/repository.ts', 'git/folder-entries.ts', 'git/mutex.ts', 'storage'],
  ['git/processes'],
  ['git/objects'],
  ['git/refs', 'git/trees'],
  ['git/diff', 'git/edit', 'git/history', 'git/languages', 'git/maintenance', 'git/protocol', 'git/create.ts'],
  ['git/merge', 'git/remotes'],
  ['git'],
  ['data-folders.ts'],
  ['database'],
  ['accounts/password-services.ts', 'events/events.ts', 'jobs/queues.ts', 'jobs/tasks.ts', 'processes', 'sign-in.ts'],
  ['jobs/jobs.ts'],
  ['context.ts'],
  ['events', 'jobs'],
  ['http'],
  ['access'],
  ['ssh-command.ts'],
  ['feature.ts'],
  ['access/feature.ts'],
  ['processes/recovery.ts', 'markup', 'mail', 'instance'],
  ['accounts'],
  ['federation', 'organizations'],
  ['repositories'],
  ['code'],
  ['admin', 'audit', 'search', 'transport', 'issues'],
  ['lfs', 'ssh', 'rendering', 'pulls'],
  ['projects', 'releases'],
  ['wiki'],
  ['mirrors'],
  ['packages'],
  ['actions'],
  ['migrations'],
  ['activity', 'notifications', 'webhooks'],
  ['web'],
  ['import', 'backup'],
  ['monitoring'],
  ['features.ts', 'wiring.ts'],
  ['server.ts', 'warm-up.ts'],
  ['runner'],
  ['cli'],
  ['main.ts'],
];

const parts = LAYERS.flatMap((names, level) => names.map((name) => ({ name, level }))).sort((a, b) => b.name.length - a.name.length);
const partOf = (file: string) => parts.find(({ name }) => file === name || file.startsWith(`${name}/`));

/** `log.ts` is the face of `log/`: the two may import each other. */
const rootOf = (name: string) => name.replace(/\.ts$/, '');

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
const files = filesOf(SOURCE);
/** What each file imports, types as well. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(SOURCE, file), 'utf8');
    const found = [...text.matchAll(/^(?:import|export)\b[^;']*'(\.[^']+\.\w+)'|\bimport\('(\.[^']+)'\)/gm)];
    return [file, found.map(([, fixed, later]) => join(dirname(file), fixed ?? later ?? ''))];
  }),
);

const MAX_LINES = 250;
const isLong = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1 > MAX_LINES;

describe('the source', () => {
  it('has no long files', () => {
    assert.deepEqual(
      files.filter((file) => isLong(join(SOURCE, file))),
      [],
    );
  });

  it('has no long test files', () => {
    const tests = filesOf(TESTS).filter((file) => !file.startsWith('conformance/scenarios/'));
    assert.deepEqual(
      tests.filter((file) => isLong(join(TESTS, file))),
      [],
    );
  });

  it('has a layer for every part', () => {
    assert.deepEqual(
      files.filter((file) => partOf(file) === undefined),
      [],
    );
  });

  it('imports downwards only', () => {
    const wrong: string[] = [];
    for (const [file, targets] of imports) {
      const from = partOf(file);
      for (const target of targets) {
        const to = partOf(target);
        if (from && to && rootOf(from.name) !== rootOf(to.name) && to.level >= from.level) wrong.push(`${file} -> ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('imports in no circle', () => {
    assert.deepEqual(circles(), []);
  });
});

/** The files of each circle, in the order of their imports (Tarjan's strongly connected components). */
function circles(): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const path: string[] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    path.push(file);
    for (const target of imports.get(file) ?? []) {
      const reached = index.has(target) ? (path.includes(target) ? (index.get(target) ?? own) : own) : visit(target);
      low.set(file, Math.min(low.get(file) ?? own, reached));
    }
    if (low.get(file) === own) {
      const circle = path.splice(path.indexOf(file));
      if (circle.length > 1) found.push(circle);
    }
    return low.get(file) ?? own;
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return found;
}
