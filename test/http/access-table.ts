/** Columns, in this order. The organizations and the repositories are those of `owner`. */
export const ROLES = [
  'anonymous',
  'stranger',
  // A stranger whom only those see who have signed in.
  'limited',
  'restricted',
  // Collaborators of the private repository.
  'reader',
  'writer',
  'manager',
  // Members of teams that have it: code to read; issues to write; everything.
  'coder',
  'triager',
  'director',
  'owner',
  'admin',
  // Tokens of the owner.
  'write:repository',
  'write:issue',
  'read:organization',
  'public-only',
] as const;

/**
 * Who gets what, written out by hand from the specification's legend and route tables: a column for each caller, a row for each kind
 * of route. `@` stands for the id of the team `coders`, `~` for that of a commit.
 */
/*                                           anon stra limi rest read writ mana code tria dire owne admi repo issu orga publ */
export const TABLE = `
  a private repository of an organization
  GET    /repos/acme/closed                  404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  PATCH  /repos/acme/closed                  404  404  404  404  403  403  200  403  403  200  200  200  200  403  403  403
  POST   /repos/acme/closed/transfer         404  404  404  404  403  403  403  403  403  404  404  404  404  403  403  403
  GET    /repos/acme/closed/branches         404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  POST   /repos/acme/closed/branches         404  404  404  404  403  201  201  403  403  201  201  201  201  403  403  403
  GET    /repos/acme/closed/branch_protections 404 404 404 404   403  403  200  403  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/topics           404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  PUT    /repos/acme/closed/topics           404  404  404  404  403  403  204  403  403  204  204  204  204  403  403  403
  GET    /repos/acme/closed/collaborators    404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  GET    /repos/acme/closed/stargazers       404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  PUT    /repos/acme/closed/subscription     404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  GET    /repos/acme/closed/labels           404  404  404  404  200  200  200  200  200  200  200  200  403  200  403  404
  POST   /repos/acme/closed/labels           404  404  404  404  403  201  201  403  201  201  201  201  403  201  403  404
  GET    /repos/acme/closed/contents         404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/raw/README.md    404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/archive/main.zip 404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  POST   /repos/acme/closed/contents         404  404  404  404  403  201  201  403  403  201  201  201  201  403  403  403
  GET    /repos/acme/closed/commits          404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/git/refs         404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  POST   /repos/acme/closed/tags             404  404  404  404  403  201  201  403  403  201  201  201  201  403  403  403
  GET    /repos/acme/closed/issues           404  404  404  404  200  200  200  404  200  200  200  200  403  200  403  404
  POST   /repos/acme/closed/issues           404  404  404  404  201  201  201  404  201  201  201  201  403  201  403  404
  PATCH  /repos/acme/closed/issues/1         404  404  404  404  403  201  201  404  201  201  201  201  403  201  403  404
  POST   /repos/acme/closed/issues/1/comments 404  404  404  404  201  201  201  404  201  201  201  201  403  201  403  404
  PUT    /repos/acme/closed/issues/1/lock    404  404  404  404  403  403  204  404  403  204  204  204  403  204  403  404
  POST   /repos/acme/closed/milestones       404  404  404  404  403  201  201  403  201  201  201  201  403  201  403  404
  GET    /repos/acme/closed/milestones       404  404  404  404  200  200  200  200  200  200  200  200  403  200  403  404
  GET    /repos/acme/closed/issues/comments  404  404  404  404  200  200  200  404  200  200  200  200  403  200  403  404
  GET    /repos/acme/closed/issues/1/reactions 404  404  404  404  200  200  200  404  200  200  200  200  403  200  403  404
  POST   /repos/acme/closed/issues/1/times   404  404  404  404  403  200  200  404  200  200  200  200  403  200  403  404
  POST   /repos/acme/closed/issues/1/deadline 404  404  404  404  403  201  201  404  201  201  201  201  403  201  403  404
  GET    /repos/acme/closed/issues/1/subscriptions 404  404  404  404  200  200  200  404  200  200  200  200  403  200  403  404
  DELETE /repos/acme/closed/issues/999       404  404  404  404  403  403  404  404  403  404  404  404  403  404  403  404
  GET    /repos/acme/closed/times            404  404  404  404  200  200  200  404  200  200  200  200  200  403  403  403
  GET    /repos/acme/closed/notifications    404  404  404  404  200  200  200  200  200  200  200  200  403  403  403  404
  GET    /repos/acme/closed/hooks            404  404  404  404  403  403  200  403  403  200  200  200  200  403  403  403
  POST   /repos/acme/closed/hooks            404  404  404  404  403  403  201  403  403  201  201  201  201  403  403  403
  GET    /repos/acme/closed/hooks/git        404  404  404  404  403  403  403  403  403  403  403  403  403  403  403  403
  GET    /repos/acme/closed/keys             404  404  404  404  403  403  200  403  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/assignees        404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  GET    /repos/acme/closed/teams            404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  GET    /repos/acme/closed/collaborators/reader/permission 404  404  404  404  200  403  200  403  403  200  200  200  200  403  403  403
  PUT    /repos/acme/closed/collaborators/reader 404  404  404  404  403  403  204  403  403  204  204  204  204  403  403  403
  GET    /repos/acme/closed/media/README.md  404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/compare/main...main 404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/languages        404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/commits/main/status 404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  POST   /repos/acme/closed/statuses/~       404  404  404  404  403  201  201  403  403  201  201  201  201  403  403  403
  GET    /repos/acme/closed/git/trees/main   404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  POST   /repos/acme/closed/branch_protections 404  404  404  404  403  403  201  403  403  201  201  201  201  403  403  403
  GET    /repos/acme/closed/tag_protections  404  404  404  404  403  403  200  403  403  200  200  200  200  403  403  403
  GET    /repos/acme/closed/subscribers      404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  GET    /repos/acme/closed/activities/feeds 404  404  404  404  200  200  200  200  200  200  200  200  200  403  403  403
  GET    /repos/acme/closed/issue_config     404  404  404  404  200  200  200  200  403  200  200  200  200  403  403  403
  DELETE /repos/acme/closed/avatar           404  404  404  404  403  403  204  403  403  204  204  204  204  403  403  403
  PUT    /repos/acme/closed/topics/two       404  404  404  404  403  403  204  403  403  204  204  204  204  403  403  403
  GET    /repos/acme/closed/pulls            404  404  404  404  200  200  200  404  404  200  200  200  200  403  403  403
  POST   /repos/acme/closed/pulls            404  404  404  404  422  422  422  404  404  422  422  422  422  403  403  403
  POST   /repos/acme/closed/forks            404  404  404  404  202  202  202  202  403  202  202  202  409  403  403  403

  a public repository of an organization
  GET    /repos/acme/open                    200  200  200  200  200  200  200  200  200  200  200  200  200  403  403  200
  PATCH  /repos/acme/open                    401  403  403  403  403  403  403  403  403  200  200  200  200  403  403  200
  GET    /repos/acme/open/branches           200  200  200  200  200  200  200  200  200  200  200  200  200  403  403  200
  POST   /repos/acme/open/branches           401  403  403  403  403  403  403  403  403  201  201  201  201  403  403  201
  POST   /repos/acme/open/contents           401  403  403  403  403  403  403  403  403  201  201  201  201  403  403  201
  GET    /repos/acme/open/issues             200  200  200  200  200  200  200  200  200  200  200  200  403  200  403  200
  POST   /repos/acme/open/issues             401  201  201  201  201  201  201  201  201  201  201  201  403  201  403  201
  GET    /repos/acme/open/collaborators      401  200  200  200  200  200  200  200  200  200  200  200  200  403  403  200
  GET    /repos/acme/open/labels             200  200  200  200  200  200  200  200  200  200  200  200  403  200  403  200
  POST   /repos/acme/open/labels             401  403  403  403  403  403  403  403  403  201  201  201  403  201  403  201

  a public repository of a limited and of a private organization
  GET    /repos/circle/open                  404  200  200  404  200  200  200  200  200  200  200  200  200  403  403  403
  GET    /repos/secret/open                  404  404  404  404  404  404  404  404  404  404  200  200  200  403  403  403

  an archived public repository
  GET    /repos/acme/past                    200  200  200  200  200  200  200  200  200  200  200  200  200  403  403  200
  POST   /repos/acme/past/issues             401  423  423  423  423  423  423  423  423  423  423  423  403  423  403  423
  POST   /repos/acme/past/branches           401  403  403  403  403  403  403  403  403  423  423  423  423  403  403  423

  organizations
  GET    /orgs/acme                          200  200  200  200  200  200  200  200  200  200  200  200  403  403  200  200
  GET    /orgs/circle                        404  200  200  404  200  200  200  200  200  200  200  200  403  403  200  403
  GET    /orgs/secret                        404  404  404  404  404  404  404  404  404  404  200  200  403  403  200  403
  PATCH  /orgs/acme                          401  403  403  403  403  403  403  403  403  403  200  200  403  403  403  200
  GET    /orgs/acme/members                  401  200  200  200  200  200  200  200  200  200  200  200  403  403  200  200
  GET    /orgs/acme/public_members           200  200  200  200  200  200  200  200  200  200  200  200  403  403  200  200
  GET    /orgs/acme/teams                    401  403  403  403  403  403  403  200  200  200  200  200  403  403  200  200
  POST   /orgs/acme/teams                    401  403  403  403  403  403  403  403  403  403  201  201  403  403  403  201
  GET    /orgs/acme/labels                   200  200  200  200  200  200  200  200  200  200  200  200  403  403  200  200
  GET    /orgs/secret/labels                 404  404  404  404  404  404  404  404  404  404  200  200  403  403  200  403
  POST   /orgs/acme/labels                   401  403  403  403  403  403  403  403  403  403  201  201  403  403  403  201
  GET    /orgs/acme/blocks                   401  403  403  403  403  403  403  403  403  403  200  200  403  403  200  200
  GET    /orgs/acme/hooks                    401  403  403  403  403  403  403  403  403  403  200  200  403  403  200  200
  POST   /orgs/acme/hooks                    401  403  403  403  403  403  403  403  403  403  201  201  403  403  403  201
  DELETE /orgs/acme/avatar                   401  403  403  403  403  403  403  403  403  403  204  204  403  403  403  204
  PUT    /orgs/acme/public_members/coder     401  403  403  403  403  403  403  204  403  403  204  204  403  403  403  204
  DELETE /orgs/acme/members/stranger         401  403  403  403  403  403  403  403  403  403  204  204  403  403  403  204
  GET    /orgs/acme/teams/search             401  403  403  403  403  403  403  200  200  200  200  200  403  403  200  200
  GET    /orgs/acme/activities/feeds         200  200  200  200  200  200  200  200  200  200  200  200  403  403  200  200
  GET    /orgs/acme/repos                    200  200  200  200  200  200  200  200  200  200  200  200  403  403  200  200
  GET    /orgs                               200  200  200  200  200  200  200  200  200  200  200  200  403  403  200  200
  POST   /orgs                               401  201  201  201  201  201  201  201  201  201  201  201  403  403  403  201
  POST   /orgs/acme/repos                    401  403  403  403  403  403  403  403  403  403  201  201  403  403  403  201

  teams
  GET    /teams/@                            401  404  404  404  404  404  404  200  403  403  200  200  403  403  200  200
  PATCH  /teams/@                            401  404  404  404  404  404  404  404  403  403  200  200  403  403  403  200
  GET    /teams/@/members                    401  404  404  404  404  404  404  200  403  403  200  200  403  403  200  200
  PUT    /teams/@/members/coder              401  404  404  404  404  404  404  404  403  403  204  204  403  403  403  204
  GET    /teams/@/repos                      401  404  404  404  404  404  404  200  403  403  200  200  403  403  200  200
  PUT    /teams/@/repos/acme/closed          401  404  404  404  404  404  404  403  403  403  204  204  403  403  403  403

  users
  GET    /user                               401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /users/limited                      404  200  200  404  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /users/hermit                       404  404  404  404  404  404  404  404  404  404  404  200  403  403  403  403
  POST   /user/repos                         401  201  201  201  201  201  201  201  201  201  201  201  403  403  403  403
  GET    /user/orgs                          401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /user/teams                         401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /user/emails                        401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /user/settings                      401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /user/keys                          401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /user/hooks                         401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /user/blocks                        401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /user/applications/oauth2           401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /user/repos                         401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /user/subscriptions                 401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  PUT    /user/following/stranger            401  204  204  204  204  204  204  204  204  204  204  204  403  403  403  204
  PUT    /user/starred/acme/open             401  204  204  204  204  204  204  204  204  204  204  204  403  403  403  204
  GET    /users/stranger                     200  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /users/stranger/keys                401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /users/stranger/followers           401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /users/stranger/orgs                401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /users/stranger/heatmap             200  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /users/stranger/repos               200  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /users/stranger/tokens              403  200  403  403  403  403  403  403  403  403  403  200  403  403  403  403
  POST   /users/stranger/tokens              401  201  403  403  403  403  403  403  403  403  403  201  403  403  403  403
  GET    /users/owner/tokens                 403  403  403  403  403  403  403  403  403  403  200  200  403  403  403  401
  GET    /users/search                       200  200  200  200  200  200  200  200  200  200  200  200  403  403  403  200
  GET    /notifications                      401  200  200  200  200  200  200  200  200  200  200  200  403  403  403  403
  GET    /repos/issues/search                200  200  200  200  200  200  200  200  200  200  200  200  403  200  403  200
  GET    /repos/search                       200  200  200  200  200  200  200  200  200  200  200  200  200  403  403  200

  administration
  GET    /admin/orgs                         401  403  403  403  403  403  403  403  403  403  403  200  403  403  403  403
  GET    /admin/users                        401  403  403  403  403  403  403  403  403  403  403  200  403  403  403  403
  POST   /admin/users                        401  403  403  403  403  403  403  403  403  403  403  201  403  403  403  403
  DELETE /admin/users/nobody                 401  403  403  403  403  403  403  403  403  403  403  404  403  403  403  403
  GET    /admin/emails                       401  403  403  403  403  403  403  403  403  403  403  200  403  403  403  403
  GET    /admin/cron                         401  403  403  403  403  403  403  403  403  403  403  200  403  403  403  403
  GET    /admin/unadopted                    401  403  403  403  403  403  403  403  403  403  403  200  403  403  403  403
  GET    /admin/hooks                        401  403  403  403  403  403  403  403  403  403  403  200  403  403  403  403
  POST   /admin/users/stranger/orgs          401  403  403  403  403  403  403  403  403  403  403  201  403  403  403  403

  the instance
  GET    /version                            200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
  GET    /gitignore/templates                200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
  GET    /settings/api                       200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
  POST   /markdown                           401  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
`;
