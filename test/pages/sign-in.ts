import type { Page } from 'playwright-core';

/** Signs in by the page for it. @param user `name:password` */
export async function signIn(page: Page, url: string, user: string): Promise<void> {
  const [login = '', password = ''] = user.split(':');
  await page.goto(new URL('user/login', url).href);
  await page.fill('[name=user_name]', login);
  await page.fill('[name=password]', password);
  await Promise.all([page.waitForNavigation(), page.click('main button')]);
}
