/** What is wrong with a field, by the names that the API has for its rules. */
export const problems = {
  Required: 'this is missing',
  AlphaDash: 'only letters, digits, hyphens and underscores are allowed',
  AlphaDashDot: 'only letters, digits, dots, hyphens and underscores are allowed',
  GitRefName: 'this is not a name that Git allows',
  GlobPattern: 'this is not a pattern',
  Email: 'this is not an e-mail address',
  Url: 'this is not an address that begins with http:// or https://',
  In: 'this is none of the choices',
  MinSize: 'this is too short',
  MaxSize: 'this is too long',
  Range: 'this is too small or too large',
};
