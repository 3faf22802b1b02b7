import { deleteAvatar, setAvatar } from '../../accounts/avatars/avatars.ts';
import { avatarUrl } from '../../accounts/users/present.ts';
import { UserSettingsOptions } from '../../accounts/users/schema.ts';
import { updateSettings } from '../../accounts/users/settings.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { avatar } from '../components/avatar.ts';
import { fault } from '../components/fault.ts';
import { checkBox, field, postForm, textArea } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { avatarBox, avatarForms } from '../manage/avatar.ts';
import { type Reply, type SignedInVisit, seeOther, userPage } from '../page.ts';
import { path } from '../view.ts';
import { accountSection, type OwnVisit } from './area.ts';
import { settingsDocument } from './frame.ts';

const section = accountSection('profile');

/** The profile of an account, and its image. */
export const profileSettingsPages: readonly AnyRoute[] = [
  ...userPage({ path: '/user/settings', get: async (visit, context) => form(visit, context), post: change }),
  ...section.pages({
    forms: avatarForms<OwnVisit>({
      set: ({ user }, context, base64) => setAvatar(context, user, base64),
      remove: ({ user }, context) => deleteAvatar(context, user),
    }),
  }),
];

async function change(visit: SignedInVisit, context: Context): Promise<Reply> {
  const { fields, user } = visit;
  try {
    const options = bindValue(UserSettingsOptions, {
      full_name: fields.get('full_name') ?? '',
      description: fields.get('description') ?? '',
      website: fields.get('website') ?? '',
      location: fields.get('location') ?? '',
      hide_email: fields.get('hide_email') === 'on',
      hide_activity: fields.get('hide_activity') === 'on',
    });
    await updateSettings(context, user, options);
    return seeOther(context, 'user/settings');
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return form(visit, context, error);
  }
}

function form(visit: SignedInVisit, context: Context, problem?: HttpError): Document {
  const { view, user, fields } = visit;
  const text = view.text.settings;
  const value = (name: 'full_name' | 'description' | 'website' | 'location') => (problem ? fields.get(name) : user[name]);
  const isOn = (name: string, now: boolean) => (problem ? fields.get(name) === 'on' : now);
  const body = postForm(
    view,
    html`${field({ name: 'full_name', label: text.fullName, value: value('full_name'), maxLength: 100, autocomplete: 'name' })}
${textArea({ name: 'description', label: text.biography, value: value('description'), maxLength: 255, rows: 3, hint: text.biographyHint })}
${field({ name: 'website', label: text.website, type: 'url', value: value('website'), maxLength: 255, autocomplete: 'url' })}
${field({ name: 'location', label: text.location, value: value('location'), maxLength: 50 })}
${checkBox({ name: 'hide_email', label: text.hideEmail, isChecked: isOn('hide_email', user.keep_email_private) })}
${checkBox({ name: 'hide_activity', label: text.hideActivity, isChecked: isOn('hide_activity', user.keep_activity_private) })}
<button class="primary">${view.text.common.save}</button>`,
  );
  return settingsDocument(view, context, {
    current: 'profile',
    body: html`${problem && fault(view, problem.message)}${body}<h2>${view.text.owners.picture}</h2>${picture(visit, context)}`,
    status: problem ? 422 : 200,
  });
}

function picture({ view, user }: SignedInVisit, context: Context): Html {
  const shown = avatar(view, { login: user.name, avatar_url: avatarUrl(context, user) }, 96);
  return avatarBox(view, { picture: shown, isOwn: user.avatar !== '', action: path(view, 'user/settings') });
}
