import type { Context } from '../../context.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { path, type View } from '../view.ts';

type TabName = 'code' | 'organizations' | 'repos' | 'users';

/** A page for finding things, under its tabs. */
export function explored(
  view: View,
  { settings }: Context,
  { current, title, body }: { current: TabName; title: string; body: Html },
): Document {
  const { text } = view;
  const tab = (name: TabName, label: string) => ({ href: path(view, `explore/${name}`), label, isCurrent: name === current });
  const all = [
    tab('repos', text.people.repositories),
    tab('users', text.people.users),
    tab('organizations', text.people.organizations),
    settings.codeSearch.enabled && tab('code', text.search.code),
  ];
  return {
    title,
    layout: 'page',
    body: html`<h1 class="visually-hidden">${title}</h1>${tabs(view, text.people.explore, all)}<div class="tab-body">${body}</div>`,
  };
}
