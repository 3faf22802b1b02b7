import { findUserById } from '../../access/find-user.ts';
import { findApplication } from '../../accounts/oauth2/applications.ts';
import { accessScopeOf, normalizeGrantScope } from '../../accounts/oauth2/grant-scopes.ts';
import { type Authorization, findGrant, grant } from '../../accounts/oauth2/grants.ts';
import { acceptsRedirect } from '../../accounts/oauth2/redirect-uris.ts';
import type { Context } from '../../context.ts';
import type { OAuth2Application } from '../../database/tables/oauth2.ts';
import type { Fields } from '../../http/bodies/fields.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Settings } from '../../settings.ts';
import { postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { dutyOf, openPage, type SignedInVisit, toSignIn, type Visit } from '../page.ts';
import { path, type View } from '../view.ts';

/** The request of an application (RFC 6749, section 4.1.1). */
interface AuthorizationRequest extends Authorization {
  application: OAuth2Application;
  state: string;
  /** OpenID Connect Core, section 3.1.2.1: `none` shows nothing, `consent` asks again. */
  prompt: string;
}

const MAX_LENGTH = 2000;
/** RFC 7636, section 4.2. */
const CHALLENGE = /^[\w.~-]{43,128}$/;
const CONSENT_FIELDS = ['client_id', 'redirect_uri', 'scope', 'state', 'nonce', 'code_challenge', 'code_challenge_method'] as const;

/** An error that is sent to the application through the browser (section 4.1.2.1). */
class AuthorizationError extends Error {
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

const when = ({ oauth2 }: Settings) => oauth2.enabled;

/** The pages on which a user authorizes an application. */
export const authorizePages: readonly AnyRoute[] = [
  ...openPage({ path: '/login/oauth/authorize', when, get: authorize }),
  ...openPage({ path: '/login/oauth/grant', when, post: decide }),
];

async function authorize(visit: Visit, context: Context): Promise<Document | HttpResponse> {
  const { user } = visit.visitor;
  const isAway = !user || (await dutyOf(context, user)) !== undefined;
  if (isAway && visit.fields.get('prompt') !== 'none') return toSignIn(context, visit.request);
  return withClient(visit, context, async (application, redirectUri) => {
    const request = readRequest(application, redirectUri, visit.fields);
    if (isAway) throw new AuthorizationError('login_required', 'no user is signed in');
    const granted = await findGrant(context.db, application, user);
    // Public clients are asked each time: anybody could pose as one (section 10.2).
    const remembers = application.is_confidential || application.skips_consent;
    if (granted && remembers && granted.scope === request.scope && request.prompt !== 'consent') {
      return back(redirectUri, { code: await grant(context, application, user, request), state: request.state });
    }
    if (request.prompt === 'none') throw new AuthorizationError('consent_required', 'the user has to consent first');
    return consentForm({ ...visit, user }, context, request);
  });
}

async function decide(visit: Visit, context: Context): Promise<Document | HttpResponse> {
  const { fields, visitor } = visit;
  const { user } = visitor;
  // The user agrees to exactly what was shown.
  const isShown =
    user !== null && context.secrets.isSigned(fields.get('shown') ?? '', 'consent', visitor.token, String(user.id), ...consentOf(fields));
  if (!isShown) return refusal(visit.view, visit.view.text.account.staleConsent);
  return withClient(visit, context, async (application, redirectUri) => {
    if (fields.get('granted') !== 'true') throw new AuthorizationError('access_denied', 'the request is denied');
    const request = readRequest(application, redirectUri, new Map([...fields, ['response_type', 'code']]));
    return back(redirectUri, { code: await grant(context, application, user, request), state: request.state });
  });
}

/** Checks what must be valid before anything is sent to the redirect URI; later errors are sent there. */
async function withClient(
  { fields, view }: Visit,
  context: Context,
  proceed: (application: OAuth2Application, redirectUri: string) => Promise<Document | HttpResponse>,
): Promise<Document | HttpResponse> {
  const application = await findApplication(context.db, fields.get('client_id') ?? '');
  if (!application) return refusal(view, view.text.account.unknownClient);
  const redirectUri = fields.get('redirect_uri') ?? '';
  if (!acceptsRedirect(application, redirectUri)) return refusal(view, view.text.account.unknownRedirect);
  try {
    return await proceed(application, redirectUri);
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error;
    return back(redirectUri, { error: error.code, error_description: error.message, state: fields.get('state') ?? '' });
  }
}

/** @throws AuthorizationError */
function readRequest(application: OAuth2Application, redirectUri: string, fields: Fields): AuthorizationRequest {
  const field = (name: string) => {
    const value = fields.get(name) ?? '';
    if (value.length > MAX_LENGTH) throw new AuthorizationError('invalid_request', `${name} is too long`);
    return value;
  };
  if (field('response_type') !== 'code') {
    throw new AuthorizationError('unsupported_response_type', 'Only code response type is supported.');
  }
  const challenge = field('code_challenge');
  const challengeMethod = field('code_challenge_method') || (challenge ? 'plain' : '');
  if (!['', 'plain', 'S256'].includes(challengeMethod))
    throw new AuthorizationError('invalid_request', 'unsupported code challenge method');
  if (challengeMethod === '' && !application.is_confidential) {
    throw new AuthorizationError('invalid_request', 'PKCE is required for public clients');
  }
  if (challengeMethod !== '' && !CHALLENGE.test(challenge)) throw new AuthorizationError('invalid_request', 'invalid code challenge');
  return {
    application,
    redirectUri,
    challenge,
    challengeMethod,
    scope: normalizeGrantScope(field('scope')),
    state: field('state'),
    nonce: field('nonce'),
    prompt: field('prompt'),
  };
}

async function consentForm(visit: SignedInVisit, context: Context, request: AuthorizationRequest): Promise<Document> {
  const { user, visitor, view, fields } = visit;
  const { application, redirectUri, scope } = request;
  const owner = application.user_id === null ? undefined : await findUserById(context.db, application.user_id);
  const shown = context.secrets.sign('consent', visitor.token, String(user.id), ...consentOf(fields));
  const access = accessScopeOf(scope);
  const { account: text } = view.text;
  const owned = owner ? `@${owner.name}` : context.settings.instance.name;
  const hidden = CONSENT_FIELDS.map((name) => html`<input type="hidden" name="${name}" value="${fields.get(name) ?? ''}">`);
  const form = html`<input type="hidden" name="shown" value="${shown}">${hidden}
<button class="primary" name="granted" value="true">${text.authorizeIt}</button> <button name="granted" value="false">${text.cancel}</button>`;
  return {
    title: text.authorize(application.name),
    // Only its scheme, as a policy cannot list every host.
    formTarget: new URL(redirectUri).protocol,
    body: html`<p>${text.authorizeAsks(application.name, owned, user.name)}</p>
<p>${access === 'all' ? text.authorizeAll : text.authorizeSome(access.replaceAll(',', ', '))}</p>
<p>${text.sentBackTo} <strong>${redirectUri}</strong></p>
${postForm(view, form, { action: path(view, 'login/oauth/grant') })}`,
  };
}

function consentOf(fields: Fields): string[] {
  return CONSENT_FIELDS.map((name) => fields.get(name) ?? '');
}

function refusal({ text: { account } }: View, text: string): Document {
  return { title: account.authorizationFailed, status: 400, body: html`<p class="fault">${text}</p>` };
}

function back(redirectUri: string, parameters: Record<string, string>): HttpResponse {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== '') target.searchParams.set(name, value);
  return empty(303, { location: target.href, 'cache-control': 'no-store' });
}
