import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Provided } from '../src/context.ts';
import { EventLog } from '../src/events/event-log.ts';
import type { Feature } from '../src/feature.ts';
import { features } from '../src/features.ts';
import { JobQueue } from '../src/jobs/job-queue.ts';
import { TaskSchedule } from '../src/jobs/schedule.ts';
import { wire } from '../src/wiring.ts';

const SOURCE = join(import.meta.dirname, '..', 'src');
const wires = () => ({ events: new EventLog(), jobs: new JobQueue(), schedule: new TaskSchedule() });
const nothing = async () => {};
/** The features with another one in the place of that of the same name. */
const replacing = (name: string, change: (feature: Feature) => Feature) =>
  features.map((feature) => (feature.name === name ? change(feature) : feature));

/** Events that are emitted for what is still to come; nothing handles them, so they are not stored. */
const UNHANDLED = [
  'issue.deadline-changed',
  'issue.ref-changed',
  'milestone.created',
  'milestone.deleted',
  'milestone.edited',
  'star.added',
  'user.deleted',
];

describe('the wiring of features', () => {
  it('joins all there are', () => {
    assert.equal(typeof wire(features, wires()).isMergeOf, 'function');
  });

  it('refuses to start when something that is asked for is provided by nobody', () => {
    const without = replacing('releases', ({ provides: _, ...rest }) => rest);
    assert.throws(() => wire(without, wires()), /no feature provides prepareMovedTags, which code needs/);
  });

  it('refuses to start when something is provided that nobody asks for', () => {
    const more = replacing('wiki', (feature) => ({ ...feature, provides: { unasked: nothing } as Partial<Provided> }));
    assert.throws(() => wire(more, wires()), /no feature needs unasked/);
  });

  it('refuses to start when two provide the same', () => {
    const twice = [...features, { name: 'again', provides: features.find(({ name }) => name === 'releases')?.provides ?? {} }];
    assert.throws(() => wire(twice, wires()), /two features provide findRepositoryOfRelease/);
  });

  it('refuses to start when jobs of a type are done by nobody, or by two', () => {
    const without = replacing('federation', ({ jobs: _, ...rest }) => rest);
    assert.throws(() => wire(without, wires()), /no feature runs jobs of the type federation.deliver/);
    const twice = [...features, { name: 'again', jobs: { 'mail.send': { run: nothing } } }];
    assert.throws(() => wire(twice, wires()), /two features do the jobs of the type mail.send/);
  });

  it('refuses to start when two features have one name, or subscribe under one', () => {
    assert.throws(() => wire([...features, { name: 'wiki' }], wires()), /two features are called wiki/);
    const twice = [...features, { name: 'again', on: { activity: { 'star.added': nothing } } }];
    assert.throws(() => wire(twice, wires()), /two features subscribe as activity/);
  });

  it('leaves no event unhandled but those that are known', () => {
    const declared = /export interface Events \{([\s\S]*?)^\}/m.exec(readFileSync(join(SOURCE, 'events', 'events.ts'), 'utf8'))?.[1] ?? '';
    const types = [...declared.matchAll(/^ {2}'([a-z.-]+)':/gm)].map(([, type = '']) => type);
    const handled = features.flatMap(({ on = {}, within = {} }) => [
      ...Object.values(on).flatMap((handlers) => Object.keys(handlers)),
      ...Object.keys(within),
    ]);
    assert.ok(types.length > 40);
    assert.deepEqual(types.filter((type) => !handled.includes(type)).sort(), UNHANDLED);
  });

  it('knows of everything that the source asks features to provide', () => {
    const needed: readonly string[] = features.flatMap(({ needs = [] }) => needs);
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('provided.ts'));
    const declared = files.flatMap((file) => {
      const text = readFileSync(join(SOURCE, file), 'utf8');
      return [...text.matchAll(/^ {4}(\w+)\(/gm)].map(([, name = '']) => name);
    });
    assert.deepEqual(declared.sort(), [...needed].sort());
  });
});
