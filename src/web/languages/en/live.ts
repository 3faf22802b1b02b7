/** Texts of live updates; the script replaces `{n}` by a number. */
export const live = {
  newComment: '1 new comment, show',
  newComments: '{n} new comments, show',
};
