import type { FixtureCommit } from './fixture.ts';

/** Two branches, a merge, and a commit after it. */
export const HISTORY: readonly FixtureCommit[] = [
  { label: 'one', files: { 'a.txt': '1', 'src/x.js': '1', 'src/*.js': 'star' } },
  { label: 'two', files: { 'a.txt': '2' }, author: 'Bo Other <bo@example.com>' },
  { label: 'side', branch: 'side', from: 'one', files: { 'src/x.js': '2', 'side.txt': 's' } },
  { label: 'three', branch: 'main', files: { 'src/y.js': '1' } },
  { label: 'merge', merge: ['side'], files: { 'side.txt': 's', 'src/x.js': '2' } },
  { label: 'four', files: { 'a.txt': null, 'b.txt': '4' } },
];
