import type { Browser, PageResponse } from '../../support/browser.ts';

/** Whether the browser gets a page that only those get who have signed in. */
export const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/user/settings/security')).status === 200;

/** Sends the form of a page that leads back to the page, so that the form names no URL. */
export function submitHere(browser: Browser, page: PageResponse, fields: Record<string, string>, path: string): Promise<PageResponse> {
  return browser.submit(
    { ...page, text: page.text.replace('<form method="post">', `<form method="post" action="${path}">`) },
    fields,
    path,
  );
}
