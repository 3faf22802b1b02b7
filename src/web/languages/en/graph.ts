import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the commit graph. */
export const graph = {
  title: 'Commit graph',
  all: 'All branches and tags',
  refs: 'Branches and tags',
  chosen: (number: number) => `${count(number, 'ref', 'refs')} chosen`,
  other: 'Another branch or tag',
  show: 'Show',
  hidePulls: 'Hide pull requests',
  showPulls: 'Show pull requests',
  mono: 'One color',
  color: 'Colors',
  empty: 'There are no commits.',
  cut: (number: number) => `The graph ends after ${count(number, 'commit', 'commits')}.`,
  tooLong: 'The history takes too long to read.',
};
