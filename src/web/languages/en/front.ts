/** Texts of the page at the root URL for who is not signed in. */
export const front = {
  begin: (command: string) => `Nobody has an account here yet. Make an administrator on the next page, or with: ${command}`,
  api: 'API',
  documentation: 'Documentation of the API',
  description: 'Its description for programs',
};
