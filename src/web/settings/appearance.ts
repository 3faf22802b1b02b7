import { updateSettings } from '../../accounts/users/settings.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { AnyRoute } from '../../http/route.ts';
import { EVENT_GROUPS, type EventGroupName, hiddenGroups, hideGroups } from '../../issues/timeline/event-groups.ts';
import { checkBox, postForm, select } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { LANGUAGE_NAMES } from '../languages/languages.ts';
import { type Reply, type SignedInVisit, seeOther, userPage } from '../page.ts';
import { path, THEMES, type View } from '../view.ts';
import { settingsDocument } from './frame.ts';

const STYLES = ['unified', 'split'] as const;

const PATH = 'user/settings/appearance';

/** The theme and language, and the events that timelines show. */
export const appearancePages: readonly AnyRoute[] = [
  ...userPage({ path: `/${PATH}`, get: form, post: change }),
  ...userPage({ path: `/${PATH}/hidden_comments`, post: hide }),
];

async function change({ fields, user }: SignedInVisit, context: Context): Promise<Reply> {
  const language = Object.keys(LANGUAGE_NAMES).find((name) => name === fields.get('language')) ?? '';
  const theme = THEMES.find((name) => name === fields.get('theme')) ?? 'auto';
  const style = STYLES.find((name) => name === fields.get('diff_style')) ?? 'unified';
  await updateSettings(context, user, { language, theme: `copse-${theme}`, diff_view_style: style });
  return seeOther(context, PATH);
}

async function hide({ fields, user }: SignedInVisit, context: Context): Promise<Reply> {
  await hideGroups(context, user, (name) => fields.has(name));
  return seeOther(context, PATH);
}

async function form({ view, user }: SignedInVisit, context: Context): Promise<Document> {
  const text = view.text.settings;
  const languages = [['', text.languageOfBrowser] as const, ...Object.entries(LANGUAGE_NAMES)];
  const themes = THEMES.map((name) => [name, text.themes[name]] as const);
  const styles = STYLES.map((name) => [name, text.diffStyles[name]] as const);
  const body = postForm(
    view,
    html`${select({ name: 'language', label: text.language, value: user.language.split('-', 1)[0] ?? '', options: languages })}
${select({ name: 'theme', label: text.theme, value: view.theme, options: themes })}
${select({ name: 'diff_style', label: text.diffStyle, value: user.diff_view_style, options: styles })}
<button class="primary">${view.text.common.save}</button>`,
  );
  return settingsDocument(view, context, { current: 'appearance', body: html`${body}${hiddenForm(view, user)}` });
}

function hiddenForm(view: View, user: User): Html {
  const { settings: text, common } = view.text;
  const hidden = hiddenGroups(user);
  const boxes = (Object.keys(EVENT_GROUPS) as EventGroupName[]).map((name) =>
    checkBox({ name, label: text.eventGroups[name], isChecked: hidden.includes(name) }),
  );
  const form = html`<fieldset><legend>${text.hiddenEvents}</legend><p class="hint">${text.hiddenEventsHint}</p>${boxes}</fieldset>
<button>${common.save}</button>`;
  return postForm(view, form, { action: path(view, `${PATH}/hidden_comments`) });
}
