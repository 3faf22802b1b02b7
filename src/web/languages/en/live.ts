/** Texts of what changes on open pages; `{n}` is a number that the script fills in. */
export const live = {
  newComment: '1 new comment, show',
  newComments: '{n} new comments, show',
};
