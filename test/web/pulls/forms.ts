import assert from 'node:assert/strict';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, type TestServer } from '../../support/server.ts';

/** A browser in which somebody is signed in. */
export async function signedIn(t: TestServer, name: string): Promise<Browser> {
  const browser = new Browser(t.url);
  await browser.signIn(name, PASSWORD);
  return browser;
}

/** The token of the forms of a page. */
export function tokenOf(page: PageResponse): string {
  const [, token = ''] = /name="_token" value="([^"]*)"/.exec(page.text) ?? [];
  assert.ok(token, page.text);
  return token;
}

/** Sends fields to a page as its own forms do; a list of values is a field that comes several times. */
export async function act(browser: Browser, path: string, fields: Record<string, string | readonly string[]>): Promise<PageResponse> {
  const token = tokenOf(await browser.get(path.replace(/\/viewed-files$/, '')));
  const list = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  );
  return browser.send('POST', path, { fields: [['_token', token], ...list] });
}
