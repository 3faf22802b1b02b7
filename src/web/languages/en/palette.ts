/** Texts of the palette and the list of keys. */
export const palette = {
  open: 'Jump to…',
  placeholder: 'A repository, an issue, a page…',
  results: 'Places',
  nothing: 'Nothing found',
  found: 'found',
  shortcuts: 'Keyboard shortcuts',
  onThisPage: 'On this page',
  close: 'Close',
  keys: {
    'Ctrl K': 'Jump to a repository, an issue or a page',
    '/': 'Search',
    '?': 'Show keyboard shortcuts',
    j: 'Next row of a list, or next change',
    k: 'Previous row or change',
    o: 'Open the row',
    'Ctrl Enter': 'Submit the form',
    Escape: 'Close a menu',
  },
};
