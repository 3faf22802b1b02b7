import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Browser } from '../../support/browser.ts';
import type { Client } from '../../support/client.ts';
import { PASSWORD, type TestServer } from '../../support/server.ts';

/** The redirect URI of every application. */
export const CALLBACK = 'https://app.example.com/callback';

/** The credentials of an application. */
export interface App {
  client_id: string;
  client_secret: string;
}

/** Makes a confidential application. */
export const newApp = (owner: Client, options: object = {}): Promise<App> =>
  owner.must('POST', '/user/applications/oauth2', { name: 'web', redirect_uris: [CALLBACK], confidential_client: true, ...options });

/** A PKCE verifier, and its S256 challenge. */
export const verifier = randomBytes(32).toString('base64url');
export const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The steps of the authorization code flow on a server. */
export function oauth2Flow(t: TestServer) {
  async function browserOf(name: string): Promise<Browser> {
    const browser = new Browser(t.url);
    assert.equal((await browser.signIn(name, PASSWORD)).status, 303);
    return browser;
  }

  /** Lets the application in; returns the code. */
  async function authorize(browser: Browser, app: App, parameters: Record<string, string> = {}): Promise<string> {
    const query = { client_id: app.client_id, redirect_uri: CALLBACK, response_type: 'code', state: 's', ...parameters };
    const asked = await browser.get(`/login/oauth/authorize?${new URLSearchParams(query)}`);
    const answer = asked.status === 200 ? await browser.submit(asked, { granted: 'true' }) : asked;
    const code = new URL(answer.location).searchParams.get('code');
    assert.ok(code, `${answer.status} ${answer.location} ${answer.text}`);
    return code;
  }

  async function token(fields: Record<string, string>) {
    const response = await fetch(new URL('login/oauth/access_token', t.url), { method: 'POST', body: new URLSearchParams(fields) });
    // biome-ignore lint/suspicious/noExplicitAny: tests look at what came
    return { status: response.status, json: (await response.json()) as any, headers: response.headers };
  }

  const byCode = (app: App, code: string, more: Record<string, string> = {}) =>
    token({
      grant_type: 'authorization_code',
      client_id: app.client_id,
      client_secret: app.client_secret,
      code,
      redirect_uri: CALLBACK,
      ...more,
    });
  const byRefresh = (app: App, refresh_token: string) =>
    token({ grant_type: 'refresh_token', client_id: app.client_id, client_secret: app.client_secret, refresh_token });
  const whoHas = (access: string) => t.anonymous.get('/user', { headers: { authorization: `Bearer ${access}` } });
  return { browserOf, authorize, token, byCode, byRefresh, whoHas };
}
