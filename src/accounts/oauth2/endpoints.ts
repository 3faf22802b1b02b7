import { refuseBarred } from '../../access/authenticate.ts';
import type { Caller } from '../../access/provided.ts';
import { grants, storedScope } from '../../access/scopes.ts';
import type { Context } from '../../context.ts';
import type { OAuth2Application } from '../../database/tables/oauth2.ts';
import { type Fields, readFields } from '../../http/bodies/fields.ts';
import { HttpResponse, raw } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import type { Settings } from '../../settings.ts';
import { readBasic, readBearer, signInWithToken } from '../sign-in/sign-in.ts';
import { findApplication } from './applications.ts';
import { issuerOf, userInfo } from './claims.ts';
import { isClientSecret } from './client-secrets.ts';
import { exchange, TokenError } from './exchange.ts';
import { grantsWord } from './grant-scopes.ts';
import { signingKey } from './signing-key.ts';
import { describeToken } from './tokens.ts';

const served = { when: ({ oauth2 }: Settings) => oauth2.enabled, hidden: true, open: true, responses: {} } as const;
/** Responses with tokens must not be cached (RFC 6749, section 5.1). */
const UNCACHED = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** The endpoints for programs: discovery, keys, tokens, introspection, user information. */
export const oauth2EndpointRoutes: readonly AnyRoute[] = [
  route({
    ...served,
    method: 'GET',
    path: '//.well-known/openid-configuration',
    id: 'openidConfiguration',
    summary: 'Returns the URLs of the OpenID Connect endpoints',
    handle: async (_, context) => discovery(context),
  }),
  route({
    ...served,
    method: 'GET',
    path: '//login/oauth/keys',
    id: 'oauth2Keys',
    summary: 'Returns the keys of identity tokens',
    handle: async (_, context) => ({ keys: [(await signingKey(context)).publicJwk] }),
  }),
  route({
    ...served,
    method: 'POST',
    path: '//login/oauth/access_token',
    id: 'oauth2Token',
    summary: 'Exchanges a code or a refresh token for tokens',
    body: 'stream',
    handle: async ({ request }, context) => {
      try {
        const fields = withBasicClient(await readFields(request.raw), request.headers.authorization);
        return new HttpResponse(await exchange(context, fields), { headers: UNCACHED });
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        return new HttpResponse({ error: error.code, error_description: error.message }, { status: 400, headers: UNCACHED });
      }
    },
  }),
  route({
    ...served,
    method: 'POST',
    path: '//login/oauth/introspect',
    id: 'oauth2Introspect',
    summary: 'Describes a token to a client (RFC 7662)',
    body: 'stream',
    handle: async ({ request }, context) => {
      const sent = await readFields(request.raw);
      const basic = readClient(request.headers.authorization);
      const clientId = basic?.name ?? sent.get('client_id') ?? '';
      const application = await findApplication(context.db, clientId);
      const secret = basic?.password ?? sent.get('client_secret') ?? '';
      if (!application || !(await isClientSecret(context, application, secret))) return unauthorized('Basic');
      const token = await describeToken(context, sent.get('token') ?? '');
      if (!token || !maySee(application, token)) return new HttpResponse({ active: false }, { headers: UNCACHED });
      const { scope, user_name: username, user_id, client_id } = token;
      const body = { active: true, ...(scope && { scope }), username, iss: issuerOf(context), sub: String(user_id), aud: [client_id] };
      return new HttpResponse(body, { headers: UNCACHED });
    },
  }),
  ...(['GET', 'POST'] as const).map((method) =>
    route({
      ...served,
      method,
      path: '//login/oauth/userinfo',
      id: `oauth2UserInfo${method}`,
      summary: 'Returns the user of a token',
      handle: async ({ request }, context) => {
        const token = readBearer(request.headers.authorization);
        const caller = token === undefined ? undefined : await signInWithToken(context, token, false);
        if (!caller?.actor) return unauthorized('Bearer', token === undefined ? undefined : 'Failed to authenticate user\n');
        refuseBarred(context, caller.actor);
        if (!(await mayReadUserInfo(context, caller, token ?? ''))) return insufficientScope();
        return userInfo(context, caller.actor, { publicOnly: caller.signIn.token?.publicOnly ?? false });
      },
    }),
  ),
];

/** Whether a token may read the user information: by `openid`, or by the right to read about the user. */
async function mayReadUserInfo(context: Context, { signIn }: Caller, token: string): Promise<boolean> {
  if (signIn.token === null || grants(storedScope(signIn.token.scope), 'read', ['user'])) return true;
  const granted = signIn.method === 'oauth2' ? await describeToken(context, token) : undefined;
  return granted !== undefined && grantsWord(granted.scope, 'openid');
}

/**
 * Whether a client may see what a token is (RFC 7662, section 4): its own, and those of other applications of its owner, as a
 * resource server does with the tokens of its clients.
 */
function maySee(client: OAuth2Application, token: { owner_id: number | null }): boolean {
  return client.user_id === token.owner_id;
}

/** RFC 6750, section 3.1. */
function insufficientScope(): HttpResponse {
  const headers = { 'www-authenticate': 'Bearer realm="OAuth2", error="insufficient_scope", scope="openid"' };
  return raw('insufficient scope\n', 'text/plain; charset=utf-8', { status: 403, headers });
}

function unauthorized(scheme: 'Basic' | 'Bearer', told = 'no valid authorization'): HttpResponse {
  const headers = { 'www-authenticate': `${scheme} realm="OAuth2"` };
  return raw(told, 'text/plain; charset=utf-8', { status: 401, headers });
}

/** The client of a basic authorization header, whose parts are form-encoded (RFC 6749, section 2.3.1); some clients leave that out. */
function readClient(authorization: string | undefined): { name: string; password: string } | undefined {
  const basic = readBasic(authorization);
  return basic && { name: formDecoded(basic.name), password: formDecoded(basic.password) };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * The fields with the client of a basic authorization header, unless the body has a complete one.
 * @throws TokenError for a malformed header, or one that names another client than the body
 */
function withBasicClient(fields: Fields, authorization: string | undefined): Fields {
  if ((fields.get('client_id') && fields.get('client_secret')) || !authorization) return fields;
  const basic = readClient(authorization);
  if (!basic) throw new TokenError('invalid_request', 'cannot parse basic auth header');
  const client = [
    ['client_id', basic.name],
    ['client_secret', basic.password],
  ] as const;
  for (const [name, value] of client) {
    const given = fields.get(name);
    if (given && given !== value) throw new TokenError('invalid_request', `${name} in request body inconsistent with Authorization header`);
  }
  return new Map([...fields, ...client]);
}

/** OpenID Connect Discovery 1.0, section 3. */
async function discovery(context: Context) {
  const issuer = issuerOf(context);
  return {
    issuer,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
    jwks_uri: `${issuer}/login/oauth/keys`,
    userinfo_endpoint: `${issuer}/login/oauth/userinfo`,
    introspection_endpoint: `${issuer}/login/oauth/introspect`,
    response_types_supported: ['code', 'id_token'],
    id_token_signing_alg_values_supported: [context.settings.oauth2.signingAlgorithm],
    subject_types_supported: ['public'],
    scopes_supported: ['openid', 'profile', 'email', 'groups'],
    claims_supported: CLAIMS,
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  };
}

const CLAIMS = [
  'aud',
  'exp',
  'iat',
  'iss',
  'sub',
  'name',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'locale',
  'updated_at',
  'email',
  'email_verified',
  'groups',
];
