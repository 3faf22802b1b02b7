import { array, boolean, define, ref } from '../../http/schema.ts';
import { Repository } from '../schema.ts';

export const SearchResults = define(
  'SearchResults',
  { ok: boolean(), data: array(ref(Repository)) },
  { description: 'The repositories that a search found.' },
);
