import { boolean, choice, duration, email, headerName, integer, limit, list, optional, size, text } from '../kinds.ts';
import { group, setting } from '../setting.ts';

const emailPattern = () => text({ pattern: /^[a-z0-9.*-]+$/i, name: 'a domain in which * stands for any part' });

export const admin = group(
  'First administrator',
  'Created at the start when no such account exists; later starts do not change the account.',
  {
    username: setting(optional(text({ maxLength: 40 })), '', 'Name of the administrator.'),
    password: setting(optional(text()), '', 'Password of the administrator; required with the name.', { secret: true }),
    email: setting(optional(email()), '', 'E-mail address of the administrator; without it one under the domain of the server.'),
  },
);

export const access = group('Access', 'How users sign in, and what anonymous visitors can see.', {
  requireSignInView: setting(boolean(), 'false', 'Show nothing to anonymous visitors.'),
  requireSignInExplore: setting(boolean(), 'false', 'Show the lists of users, organizations and repositories only to signed-in users.'),
  basicAuthentication: setting(boolean(), 'true', 'Accept name and password in the `Authorization` header.'),
  queryTokens: setting(
    boolean(),
    'false',
    'Accept tokens in the `token` and `access_token` query parameters; they end up in logs and histories.',
  ),
  passkeySignIn: setting(
    boolean(),
    'true',
    'Let passkeys sign in without a user name and a password; otherwise they are only a second factor.',
  ),
  requireTwoFactor: setting(boolean(), 'false', 'Refuse users without two-factor authentication everywhere except where they set it up.'),
  sessionLifetime: setting(duration({ min: '1m' }), '1d', 'How long a browser session lives without use.'),
  rememberLifetime: setting(duration({ min: '1m' }), '31d', 'How long a browser stays signed in when the user asks for it.'),
  sessionCookie: setting(headerName(), 'copse_session', 'Name of the session cookie.'),
  secureCookies: setting(
    boolean(),
    { from: 'true where `server.rootUrl` is https', value: (get) => String(String(get('server.rootUrl')).startsWith('https:')) },
    'Send cookies over HTTPS only.',
  ),
  httpSignatures: setting(boolean(), 'true', 'Accept API requests that are signed with an SSH key (HTTP signatures).'),
});

export const reverseProxy = group('Reverse-proxy sign-in', 'A proxy in front, listed in `server.trustedProxies`, authenticates the user.', {
  enabled: setting(boolean(), 'false', 'Trust the header in the web interface.'),
  apiEnabled: setting(boolean(), 'false', 'Trust the header in the API too.'),
  userHeader: setting(headerName(), 'X-WEBAUTH-USER', 'Header with the user name.'),
  emailHeader: setting(headerName(), 'X-WEBAUTH-EMAIL', 'Header with the e-mail address of a new account.'),
  fullNameHeader: setting(headerName(), 'X-WEBAUTH-FULLNAME', 'Header with the full name of a new account.'),
  register: setting(boolean(), 'false', 'Create an account for an unknown user.'),
});

export const registration = group('Registration', 'Who may make an account.', {
  enabled: setting(boolean(), 'true', 'Let visitors register.'),
  confirmEmail: setting(
    boolean(),
    'false',
    'New accounts, and new e-mail addresses, become active when the link in a mail is opened; needs mail.',
  ),
  confirmManually: setting(boolean(), 'false', 'New accounts become active when an administrator activates them.'),
  allowedEmailDomains: setting(list(emailPattern()), '', 'Only e-mail addresses of these domains may register; empty for all.'),
  blockedEmailDomains: setting(list(emailPattern()), '', 'E-mail addresses of these domains may not register.'),
  activationLifetime: setting(duration({ min: '1m' }), '3h', 'How long the link that confirms an e-mail address is valid.'),
  passwordResetLifetime: setting(duration({ min: '1m' }), '3h', 'How long the link that sets a new password is valid.'),
});

export const passwords = group('Passwords', 'Rules for new passwords, and how they are hashed (argon2id).', {
  minLength: setting(integer(1, 256), '8', 'Minimum length of a new password.'),
  complexity: setting(
    list(choice('off', 'lower', 'upper', 'digit', 'spec')),
    'off',
    'Kinds of characters that a new password must have: `lower`, `upper`, `digit`, `spec`; `off` for any.',
  ),
  hashMemory: setting(size({ min: 8192, max: 2 ** 32 }), '19MiB', 'Memory of one hash.'),
  hashIterations: setting(integer(1, 100), '2', 'Passes of one hash.'),
  hashParallelism: setting(integer(1, 16), '1', 'Lanes of one hash.'),
  concurrentHashes: setting(
    integer(1, 1000),
    '2',
    'Hashes computed at the same time, at most half of them for one IP address; further sign-ins wait.',
  ),
  rememberVerified: setting(
    duration({ max: '1h' }),
    '1m',
    'How long a verified password is cached in memory, keyed by a digest; 0 for never.',
  ),
});

export const throttle = group(
  'Failed sign-ins',
  'They are delayed by account and by IP address, twice as long each time, and refused above a limit. An account at an IP address from which it has signed in before is counted separately, so that others cannot lock it out.',
  {
    enabled: setting(boolean(), 'true', 'Slow failed sign-ins down.'),
    freePerAccount: setting(integer(0, 1_000_000), '10', 'Failures of one account without a delay.'),
    refusedPerAccount: setting(integer(1, 1_000_000), '30', 'Failures of one account after which sign-in is refused for a while.'),
    freePerAddress: setting(integer(0, 1_000_000), '1000', 'Failures from one IP address without a delay.'),
    refusedPerAddress: setting(integer(1, 1_000_000), '5000', 'Failures from one IP address after which sign-in is refused for a while.'),
    firstDelay: setting(duration({ min: '1ms', max: '1m' }), '250ms', 'First delay; it doubles with each further failure.'),
    maxDelay: setting(duration({ min: '1ms', max: '1m' }), '8s', 'Longest delay.'),
    window: setting(
      duration({ min: '1s', max: '1d' }),
      '15m',
      'Time without failures after which they are forgotten; also how long sign-in is refused.',
    ),
  },
);

export const users = group('Users', 'Defaults and rights of accounts.', {
  defaultVisibility: setting(choice('public', 'limited', 'private'), 'public', 'Visibility of a new account.'),
  allowedVisibilities: setting(
    list(choice('public', 'limited', 'private'), { minItems: 1 }),
    'public, limited, private',
    'Visibilities that users may choose.',
  ),
  defaultKeepEmailPrivate: setting(boolean(), 'false', 'New accounts hide their e-mail address.'),
  defaultAllowCreateOrganization: setting(boolean(), 'true', 'New accounts may create organizations.'),
  defaultRestricted: setting(boolean(), 'false', 'New accounts are restricted: they see only what they were given access to.'),
  defaultEmailNotifications: setting(choice('enabled', 'onmention', 'disabled', 'andyourown'), 'enabled', 'Mail that new accounts get.'),
  showEmail: setting(boolean(), 'true', 'Show e-mail addresses that are not hidden in profiles.'),
  heatmapEnabled: setting(boolean(), 'true', 'Serve the heatmap of a user’s activity.'),
  noReplyDomain: setting(
    text({ pattern: /^[a-z0-9.-]+$/i, name: 'a domain' }),
    { from: '`noreply.` and `server.domain`', value: (get) => `noreply.${String(get('server.domain'))}` },
    'Domain of the substitutes for hidden e-mail addresses.',
  ),
  autoWatchNewRepositories: setting(boolean(), 'true', 'Watch repositories one gets access to.'),
  autoWatchOnChanges: setting(boolean(), 'false', 'Watch repositories after the first commit to them.'),
  deleteWithCommentsMaxAge: setting(duration(), '0s', 'The comments of accounts younger than this are deleted with them; 0 for never.'),
  reservedNames: setting(list(text({ maxLength: 40 })), '', 'Names that no user or organization may have, besides paths of the server.'),
  urlSchemes: setting(
    list(text({ pattern: /^[a-z][a-z0-9+.-]*$/i, name: 'a scheme' })),
    'http, https',
    'Schemes allowed in websites of profiles.',
  ),
  disabledFeatures: setting(
    list(
      choice('deletion', 'manage_ssh_keys', 'manage_gpg_keys', 'manage_mfa', 'manage_credentials', 'change_username', 'change_full_name'),
    ),
    '',
    'What users may not do with their own accounts.',
  ),
});

export const organizations = group('Organizations', 'Defaults of organizations, and who may create them.', {
  defaultVisibility: setting(choice('public', 'limited', 'private'), 'public', 'Visibility of a new organization.'),
  defaultMemberVisible: setting(boolean(), 'false', 'New members are shown to everybody.'),
  invitationLifetime: setting(duration({ min: '1h' }), '7d', 'How long an invitation to a team by mail is valid.'),
  createByAdminsOnly: setting(boolean(), 'false', 'Only administrators may create organizations.'),
});

export const oauth2 = group('OAuth2 provider', 'Applications that sign users in through this instance.', {
  enabled: setting(boolean(), 'true', 'Serve the OAuth2 and OpenID Connect endpoints.'),
  accessTokenLifetime: setting(duration({ min: '1s' }), '1h', 'How long an access token is valid.'),
  refreshTokenLifetime: setting(duration({ min: '1s' }), '730h', 'How long a refresh token is valid.'),
  signingAlgorithm: setting(
    choice('RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'),
    'RS256',
    'Algorithm of identity tokens.',
  ),
  defaultApplications: setting(
    list(choice('git-credential-oauth', 'git-credential-manager', 'tea')),
    'git-credential-oauth, git-credential-manager, tea',
    'Well-known applications that every instance offers without registration.',
  ),
  maxTokenLength: setting(integer(256, 65_536), '32767', 'Maximum length of a token.'),
});

export const mail = group('Mail', 'Confirmation, password and notification mails over SMTP.', {
  enabled: setting(boolean(), 'false', 'Send mail; needs `mail.host` and `mail.from`.'),
  host: setting(optional(text()), '', 'SMTP server.'),
  port: setting(integer(1, 65_535), '587', 'Port of the SMTP server.'),
  security: setting(
    choice('starttls', 'tls', 'none'),
    'starttls',
    '`starttls` insists on it, `tls` begins with it, `none` is for a server on the same machine.',
  ),
  username: setting(optional(text()), '', 'Name to sign in with.'),
  password: setting(optional(text()), '', 'Password to sign in with.', { secret: true }),
  from: setting(
    optional(
      text({ pattern: /^(?:[^<>\r\n]+ <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, name: 'an address such as Copse <copse@example.com>' }),
    ),
    '',
    'Sender of all mail.',
  ),
  subjectPrefix: setting(optional(text({ maxLength: 100 })), '', 'Prefix of every subject.'),
  notifications: setting(boolean(), 'true', 'Send notifications by mail, to users who want them.'),
  timeout: setting(duration({ min: '1s', max: '10m' }), '30s', 'How long sending one mail may take.'),
  maxPerHour: setting(limit(), '-1', 'Mails that the instance sends per hour; further ones wait. -1 for no limit.'),
});
