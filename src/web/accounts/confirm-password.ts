import { userByPassword } from '../../accounts/sign-in/password.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { forbidden, unauthorized } from '../../http/errors.ts';
import { type Html, html } from '../html.ts';
import type { SignedInVisit, Visit } from '../page.ts';

/** Seconds after signing in during which the password is not requested again. */
const RECENT = 900;

/**
 * Protects the account from others at an open browser: a form with the field `password` needs the password.
 * @throws HttpError 401 for anonymous visitors, 403 for a wrong password
 */
export async function confirmPassword({ visitor, fields, request, view }: Visit, context: Context): Promise<void> {
  const { user } = visitor;
  if (!user) throw unauthorized('token is required');
  if (user.password_hash === '') return;
  try {
    await userByPassword(context, { name: user.name, password: fields.get('password') ?? '', ip: request.ip });
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 401) throw forbidden(view.text.account.passwordWrong);
    throw error;
  }
}

/**
 * {@link confirmPassword} for pages that are also used right after signing in: then no confirmation is needed.
 * @throws as {@link confirmPassword}
 */
export async function confirmRecently(visit: Visit, context: Context): Promise<void> {
  if (!hasJustSignedIn(visit)) await confirmPassword(visit, context);
}

/** The field for {@link confirmRecently}, if it is needed. */
export function recentlyField(visit: Visit): Html | false {
  const { view, visitor } = visit;
  return visitor.user !== null && !hasJustSignedIn(visit) && passwordField({ user: visitor.user, view });
}

/** The field for {@link confirmPassword}. */
export function passwordField({ user, view }: Pick<SignedInVisit, 'user' | 'view'>): Html {
  if (user.password_hash === '') return html``;
  // A page can have several of these forms, so the field has no id.
  return html`<div class="field"><label>${view.text.account.password}
<input name="password" type="password" autocomplete="current-password" required></label></div>`;
}

function hasJustSignedIn({ visitor: { session } }: Visit): boolean {
  return session !== null && now() - session.created_at < RECENT;
}
