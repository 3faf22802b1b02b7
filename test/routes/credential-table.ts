/**
 * Every way to a new credential, hook, secret, right or visibility, and the least caller that may go it. A route of this kind that the
 * table does not name fails the test, so that its author decides.
 */

/** What a route's path says of it where it is of this kind. */
export const KIND =
  /token|oauth|keys?\b|_key|hooks|collaborators|members|teams|transfer|generate|forks|push_mirrors|migrate|emails|rename|actions\/(secrets|variables|runners)|^\/admin\/(users|unadopted)|^\/(user|orgs|org\/:org|orgs\/:org)\/repos$|^\/orgs$|^\/\/(login|user)\//;
/** Those that change the visibility among other things. */
export const VISIBILITY = ['PATCH /repos/:owner/:repo', 'PATCH /orgs/:org', 'PATCH /user/settings'];

/** Who is refused for lack of each right; the last one of a row is the least that has it. */
export const CALLERS: Record<string, readonly string[]> = {
  account: ['anonymous', 'owner'],
  self: ['anonymous', 'stranger', 'manager', 'owner'],
  reader: ['anonymous', 'stranger', 'reader'],
  manager: ['anonymous', 'stranger', 'reader', 'writer', 'manager'],
  owner: ['anonymous', 'stranger', 'reader', 'writer', 'manager', 'owner'],
  recipient: ['anonymous', 'stranger', 'reader', 'writer', 'manager', 'recipient'],
  member: ['anonymous', 'stranger', 'member'],
  orgOwner: ['anonymous', 'stranger', 'member', 'owner'],
  siteAdmin: ['anonymous', 'stranger', 'member', 'owner', 'admin'],
};

/* The least right, and the categories that a token has to have for writing; `password`: no token is enough. `open`: a token for
   public things is enough, as what is made has no owner yet, or as the contract does not limit such tokens in the administration. `absent`: nothing is there
   for anybody, which only those learn who may. */
const TABLE = `
  POST   /users/:username/tokens                         self       password
  DELETE /users/:username/tokens/:token                  self       password
  POST   /user/applications/oauth2                       account    user
  PATCH  /user/applications/oauth2/:id                   account    user
  DELETE /user/applications/oauth2/:id                   account    user
  POST   /user/keys                                      account    user
  POST   /user/keys/:id/verify                           account    user
  DELETE /user/keys/:id                                  account    user
  POST   /user/gpg_keys                                  account    user
  DELETE /user/gpg_keys/:id                              account    user
  POST   /user/gpg_key_verify                            account    user          absent
  POST   /user/emails                                    account    user
  DELETE /user/emails                                    account    user
  PATCH  /user/settings                                  account    user
  POST   /user/repos                                     account    user+repository
  POST   /user/hooks                                     account    user
  PATCH  /user/hooks/:id                                 account    user
  DELETE /user/hooks/:id                                 account    user
  POST   /admin/users                                    siteAdmin  admin         open
  PATCH  /admin/users/:username                          siteAdmin  admin         open
  POST   /admin/users/:username/keys                     siteAdmin  admin         open
  DELETE /admin/users/:username/keys/:id                 siteAdmin  admin         open
  DELETE /admin/users/:username/2fa                      siteAdmin  admin         open,absent
  POST   /admin/users/:username/badges                   siteAdmin  admin         open
  DELETE /admin/users/:username/badges                   siteAdmin  admin         open
  POST   /admin/users/:username/orgs                     siteAdmin  admin         open
  POST   /admin/users/:username/repos                    siteAdmin  admin         open
  POST   /admin/unadopted/:owner/:repo                   siteAdmin  admin         open,absent
  DELETE /admin/unadopted/:owner/:repo                   siteAdmin  admin         open,absent
  POST   /admin/hooks                                    siteAdmin  admin         open
  PATCH  /admin/hooks/:id                                siteAdmin  admin         open
  DELETE /admin/hooks/:id                                siteAdmin  admin         open
  PUT    /repos/:owner/:repo/collaborators/:collaborator manager    repository
  DELETE /repos/:owner/:repo/collaborators/:collaborator manager    repository
  POST   /repos/:owner/:repo/keys                        manager    repository
  DELETE /repos/:owner/:repo/keys/:id                    manager    repository
  POST   /repos/migrate                                  account    repository
  POST   /repos/:owner/:repo/push_mirrors                manager    repository
  POST   /repos/:owner/:repo/push_mirrors-sync           manager    repository
  DELETE /repos/:owner/:repo/push_mirrors/:name          manager    repository
  POST   /repos/:owner/:repo/hooks                       manager    repository
  PATCH  /repos/:owner/:repo/hooks/:id                   manager    repository
  POST   /repos/:owner/:repo/hooks/:id/tests             manager    repository
  DELETE /repos/:owner/:repo/hooks/:id                   manager    repository
  PATCH  /repos/:owner/:repo/hooks/git/:id               siteAdmin  repository
  DELETE /repos/:owner/:repo/hooks/git/:id               siteAdmin  repository
  PUT    /repos/:owner/:repo/actions/secrets/:secretname owner      repository
  DELETE /repos/:owner/:repo/actions/secrets/:secretname owner      repository
  POST   /repos/:owner/:repo/actions/variables/:variablename owner      repository
  PUT    /repos/:owner/:repo/actions/variables/:variablename owner      repository
  DELETE /repos/:owner/:repo/actions/variables/:variablename owner      repository
  PUT    /orgs/:org/actions/secrets/:secretname          orgOwner   organization
  DELETE /orgs/:org/actions/secrets/:secretname          orgOwner   organization
  POST   /orgs/:org/actions/variables/:variablename      orgOwner   organization
  PUT    /orgs/:org/actions/variables/:variablename      orgOwner   organization
  DELETE /orgs/:org/actions/variables/:variablename      orgOwner   organization
  PUT    /user/actions/secrets/:secretname               account    user
  DELETE /user/actions/secrets/:secretname               account    user
  POST   /user/actions/variables/:variablename           account    user
  PUT    /user/actions/variables/:variablename           account    user
  DELETE /user/actions/variables/:variablename           account    user
  POST   /repos/:owner/:repo/actions/runners/registration-token owner      repository
  PATCH  /repos/:owner/:repo/actions/runners/:runner_id  owner      repository
  DELETE /repos/:owner/:repo/actions/runners/:runner_id  owner      repository
  POST   /orgs/:org/actions/runners/registration-token   orgOwner   organization
  PATCH  /orgs/:org/actions/runners/:runner_id           orgOwner   organization
  DELETE /orgs/:org/actions/runners/:runner_id           orgOwner   organization
  POST   /user/actions/runners/registration-token        account    user
  PATCH  /user/actions/runners/:runner_id                account    user
  DELETE /user/actions/runners/:runner_id                account    user
  POST   /admin/actions/runners/registration-token       siteAdmin  admin         open
  PATCH  /admin/actions/runners/:runner_id               siteAdmin  admin         open
  DELETE /admin/actions/runners/:runner_id               siteAdmin  admin         open
  PUT    /repos/:owner/:repo/teams/:team                 owner      repository
  DELETE /repos/:owner/:repo/teams/:team                 owner      repository
  POST   /repos/:owner/:repo/forks                       reader     repository
  POST   /repos/:template_owner/:template_repo/generate  reader     repository
  PATCH  /repos/:owner/:repo                             manager    repository
  POST   /repos/:owner/:repo/transfer                    owner      repository
  POST   /repos/:owner/:repo/transfer/accept             recipient  repository
  POST   /repos/:owner/:repo/transfer/reject             recipient  repository
  PUT    /orgs/:org/public_members/:username             member     organization
  DELETE /orgs/:org/public_members/:username             member     organization
  POST   /orgs                                           account    organization  open
  POST   /orgs/:org/repos                                orgOwner   organization
  POST   /org/:org/repos                                 orgOwner   organization+repository
  POST   /orgs/:org/teams                                orgOwner   organization
  PATCH  /teams/:id                                      orgOwner   organization
  PUT    /teams/:id/members/:username                    orgOwner   organization
  DELETE /teams/:id/members/:username                    orgOwner   organization
  PUT    /teams/:id/repos/:org/:repo                     orgOwner   organization
  DELETE /teams/:id/repos/:org/:repo                     orgOwner   organization
  DELETE /teams/:id                                      orgOwner   organization
  POST   /orgs/:org/hooks                                orgOwner   organization
  PATCH  /orgs/:org/hooks/:id                            orgOwner   organization
  DELETE /orgs/:org/hooks/:id                            orgOwner   organization
  PATCH  /orgs/:org                                      orgOwner   organization
  DELETE /orgs/:org/members/:username                    orgOwner   organization
  POST   /orgs/:org/rename                               orgOwner   organization
  DELETE /admin/users/:username                          siteAdmin  admin         open
  POST   /admin/users/:username/rename                   siteAdmin  admin         open
`;

/**
 * Those of the sign-in and of a browser's session, which ask for a password, a code or a session of their own: nothing by itself. And the
 * one of the container registry where clients are told that there are no tokens of OAuth2. The forms of pages need
 * a session and the token of their page; test/web/repository, test/web/organizations and test/web/manage try those who may not.
 */
export const WITH_PROOF =
  /^POST \/\/(?:(?:login|user)\/|v2\/token$|repo\/migrate$|:owner\/:repo\/(?:settings|-\/migrate\/|releases\/generate-notes$|branches\/rename$|action\/(?:accept|reject)_transfer$)|org\/:org\/|-\/admin\/)/;

/** The scope categories of tokens. */
export const CATEGORIES = ['activitypub', 'admin', 'issue', 'misc', 'notification', 'organization', 'package', 'repository', 'user'];

/** The table, read. */
export const rows = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [method = '', path = '', right = '', scope = '', mark = ''] = line.trim().split(/\s+/);
    return { method, path, right, scopes: scope.split('+'), isOpen: mark.includes('open'), isAbsent: mark.includes('absent') };
  });
/** What the table names, by method and path. */
export const listed = new Set(rows.map(({ method, path }) => `${method} ${path}`));
