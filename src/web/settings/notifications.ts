import { updateUser } from '../../accounts/users/settings.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { postForm, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { failed, type Problem } from '../manage/section.ts';
import { accountSection, type OwnVisit } from './area.ts';

const section = accountSection('notifications');

/** What an account can be mailed of. */
const WISHES = ['enabled', 'onmention', 'andyourown', 'disabled'] as const;

/** What an account is mailed of. */
export const notificationSettingsPages: readonly AnyRoute[] = section.pages({
  show,
  forms: {
    email: {
      send: async ({ user, fields }, context) => {
        const wish = WISHES.find((one) => one === fields.get('preference'));
        if (!wish) throw unprocessable(`[preference]: one of ${WISHES.join(', ')}`);
        await updateUser(context, user, { email_notifications: wish });
      },
    },
  },
});

async function show(visit: OwnVisit, { settings: { mail } }: Context, problem?: Problem): Promise<Html> {
  const { view, user, fields } = visit;
  const { settings: text, common } = view.text;
  const value = (problem && fields.get('preference')) || user.email_notifications;
  const options = WISHES.map((wish) => [wish, text.mailWishes[wish]] as const);
  const form = html`${select({ name: 'preference', label: text.mails, value, options })}<button class="primary">${common.save}</button>`;
  return html`${!(mail.enabled && mail.notifications) && html`<p class="notice">${text.noMails}</p>`}<p>${text.mailsHint}</p>
${failed(problem, 'email')}${postForm(view, form, { action: section.href(visit, 'email') })}`;
}
