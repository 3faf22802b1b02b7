import { updateUser } from '../../accounts/users/settings.ts';
import type { Context } from '../../context.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { RUN_MAILS } from '../../notifications/mail-preferences.ts';
import { isUnitOffered } from '../../repositories/units.ts';
import { postForm, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { failed, type Problem } from '../manage/section.ts';
import { accountSection, type OwnVisit } from './area.ts';

const section = accountSection('notifications');

/** Kinds of mails that an account can get. */
const PREFERENCES = ['enabled', 'onmention', 'andyourown', 'disabled'] as const;

/** The mails that an account gets. */
export const notificationSettingsPages: readonly AnyRoute[] = section.pages({
  show,
  forms: {
    email: {
      send: async ({ user, fields }, context) => {
        const preference = PREFERENCES.find((one) => one === fields.get('preference'));
        if (!preference) throw unprocessable(`[preference]: one of ${PREFERENCES.join(', ')}`);
        await updateUser(context, user, { email_notifications: preference });
      },
    },
    actions: {
      send: async ({ user, fields }, context) => {
        if (!isUnitOffered(context.settings, 'actions')) throw notFound();
        const preference = RUN_MAILS.find((one) => one === fields.get('preference'));
        if (!preference) throw unprocessable(`[preference]: one of ${RUN_MAILS.join(', ')}`);
        await updateUser(context, user, { run_mails: preference });
      },
    },
  },
});

async function show(visit: OwnVisit, { settings }: Context, problem?: Problem): Promise<Html> {
  const { user, view } = visit;
  const { mail } = settings;
  const { settings: text } = view.text;
  const { mailPreferences, runMailPreferences } = text;
  const preferences = PREFERENCES.map((preference) => [preference, mailPreferences[preference]] as const);
  const runPreferences = RUN_MAILS.map((preference) => [preference, runMailPreferences[preference]] as const);
  return html`${!(mail.enabled && mail.notifications) && html`<p class="warning">${text.noMails}</p>`}<p>${text.mailsHint}</p>
${choice(visit, problem, { form: 'email', label: text.mails, value: user.email_notifications, options: preferences })}
${isUnitOffered(settings, 'actions') && html`${section.heading(text.runs)}<p>${text.runMailsHint}</p>${choice(visit, problem, { form: 'actions', label: text.runMails, value: user.run_mails, options: runPreferences })}`}`;
}

/** A form of one choice. */
function choice(
  visit: OwnVisit,
  problem: Problem | undefined,
  { form, label, value, options }: { form: string; label: string; value: string; options: readonly (readonly [string, string])[] },
): Html {
  const { view, fields } = visit;
  const shown = (problem?.form === form && fields.get('preference')) || value;
  const content = html`${select({ name: 'preference', id: `f-${form}`, label, value: shown, options })}<button class="primary">${view.text.common.save}</button>`;
  return html`${failed(view, problem, form)}${postForm(view, content, { action: section.href(visit, form) })}`;
}
