import { timingSafeEqual } from 'node:crypto';
import { createUser } from '../../accounts/create.ts';
import { FIRST_ACCOUNT_PAGE, firstAccountCode, hasAccounts } from '../../accounts/first-account.ts';
import { type Context, inTransaction } from '../../context.ts';
import { HttpError, notFound, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { fault } from '../components/fault.ts';
import { field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { openPage, type Reply, seeOther, type Visit } from '../page.ts';
import { signInBrowser } from '../visitor.ts';
import { newPasswordOf } from './new-password.ts';

/** The first start: the code in the log creates the first administrator. The page is missing once there is an account. */
export const firstRunPages: readonly AnyRoute[] = openPage({
  path: `/${FIRST_ACCOUNT_PAGE}`,
  get: async (visit, context) => {
    await requireNone(context);
    return form(visit);
  },
  post: make,
});

async function requireNone({ db }: Pick<Context, 'db'>): Promise<void> {
  if (await hasAccounts(db)) throw notFound();
}

async function make(visit: Visit, context: Context): Promise<Reply> {
  const { fields, request, view } = visit;
  await requireNone(context);
  try {
    if (!isCode(context, fields.get('code') ?? '')) throw unprocessable(view.text.firstRun.wrongCode);
    const password = newPasswordOf(context, visit);
    const user = await inTransaction(context, async (context) => {
      await requireNone(context);
      return createUser(context, {
        name: fields.get('user_name')?.trim() ?? '',
        email: fields.get('email')?.trim() ?? '',
        password,
        byAdministrator: true,
        columns: { is_admin: true, is_active: true },
      });
    });
    return seeOther(context, '', { 'set-cookie': await signInBrowser(context, request, user, false) });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status === 404) throw error;
    return form(visit, error);
  }
}

/** Compares in constant time. People leave out the hyphens. */
function isCode({ secrets }: Context, given: string): boolean {
  const plain = (code: string) => Buffer.from(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  const [typed, expected] = [plain(given), plain(firstAccountCode(secrets))];
  return typed.length === expected.length && timingSafeEqual(typed, expected);
}

function form({ view, fields }: Visit, problem?: HttpError): Document {
  const text = view.text.firstRun;
  return {
    title: text.title,
    status: problem ? 422 : 200,
    body: html`<p>${text.explanation}</p>${problem && fault(view, problem.message)}${postForm(
      view,
      html`${field({ name: 'code', label: text.code, value: fields.get('code'), isRequired: true, autocomplete: 'off', maxLength: 100, isFirst: true })}
${field({ name: 'user_name', label: text.name, value: fields.get('user_name'), isRequired: true, autocomplete: 'username', maxLength: 40 })}
${field({ name: 'email', label: text.email, type: 'email', value: fields.get('email'), isRequired: true, autocomplete: 'email', maxLength: 254 })}
${field({ name: 'password', label: text.password, type: 'password', isRequired: true, autocomplete: 'new-password' })}
${field({ name: 'retype', label: text.retype, type: 'password', isRequired: true, autocomplete: 'new-password' })}
<button class="primary">${text.make}</button>`,
    )}`,
  };
}
