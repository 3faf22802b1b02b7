import { array, define, nullable, ref, string } from '../schema.ts';

/** The body of an error. */
export const APIError = define(
  'APIError',
  {
    message: string({ description: 'What is wrong.' }),
    url: string({ description: 'The URL of this description.' }),
  },
  { description: 'An error.' },
);

/** The body of a 404. */
export const APINotFound = define(
  'APINotFound',
  {
    errors: nullable(array(string(), { description: 'Further explanations; null for none.' })),
    message: string({ description: 'What is wrong.' }),
    url: string({ description: 'The URL of this description.' }),
  },
  { description: 'The error for an object that does not exist, or is hidden from the caller.' },
);

/** The 404 of some routes, which in the reference has no more fields. */
export const NotFoundOrNull = nullable(ref(APINotFound));
