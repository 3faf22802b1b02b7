/** What is wrong with a field, by the names that the API has for its rules. */
export const problems = {
  Required: 'this is required',
  AlphaDash: 'only letters, digits, hyphens and underscores are allowed',
  AlphaDashDot: 'only letters, digits, dots, hyphens and underscores are allowed',
  GitRefName: 'this is not a valid Git ref name',
  GlobPattern: 'this is not a valid pattern',
  Email: 'this is not a valid e-mail address',
  Url: 'this is not a valid URL that begins with http:// or https://',
  In: 'this is not one of the choices',
  MinSize: 'this is too short',
  MaxSize: 'this is too long',
  Range: 'this is out of range',
};
