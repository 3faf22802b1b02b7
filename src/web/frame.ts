import { avatarUrl } from '../accounts/users/present.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Settings } from '../settings.ts';
import { assetPath } from './assets/assets.ts';
import { avatar } from './components/avatar.ts';
import { menu } from './components/menu.ts';
import type { Document } from './document.ts';
import { Html, html } from './html.ts';
import { PALETTE_PATH, SHORTCUTS_PATH } from './palette/paths.ts';
import { icon, path, type View } from './view.ts';

/** The parts of a page around its body. */
export function frame(settings: Settings, view: View, document: Document): { before: string; after: string } {
  const { layout = 'form', title, banner, live = [] } = document;
  const { text } = view;
  const before = html`<!doctype html>
<html lang="${view.language}" data-theme="${view.theme}">
<head>
${head(settings, view, document)}
</head>
<body>
<a class="skip" href="#content">${text.common.skip}</a>
${topBar(settings, view)}
<main id="content"${view.user && live.length > 0 && html` data-live="${live.join(',')}"`}>
${banner}
<div class="${layout}">
${layout === 'form' && html`<h1>${title}</h1>`}
`;
  const after = html`
</div>
</main>
<footer class="foot">${settings.instance.name}
${settings.api.docsEnabled && !isHidden(settings, view) && html`<a href="${path(view, 'api/swagger')}">${text.common.api}</a>`}
${!isHidden(settings, view) && html`<a href="${path(view, SHORTCUTS_PATH)}" data-key="?">${text.palette.shortcuts}</a>`}</footer>
</body>
</html>
`;
  return { before: before.text, after: after.text };
}

function head(settings: Settings, view: View, { title, scripts = [], imports, summary, feeds = [] }: Document): Html {
  const { instance, server } = settings;
  const fullTitle = title === instance.name ? title : `${title} - ${instance.name}`;
  const script = (name: string) => html`<script type="module" nonce="${view.nonce}" src="${path(view, assetPath(name))}"></script>\n`;
  const shown = summary && [
    ['type', 'website'],
    ['title', title],
    ['site_name', instance.name],
    ['url', server.rootUrl + view.here.slice(view.root.length)],
    ...(summary.description ? [['description', summary.description]] : []),
    ...(summary.image === undefined ? [] : [['image', summary.image]]),
  ];
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${fullTitle}</title>
<link rel="icon" href="${path(view, 'favicon.ico')}">
${!settings.access.requireSignInView && html`<link rel="search" type="application/opensearchdescription+xml" href="${path(view, 'opensearch.xml')}" title="${instance.name}">`}
<link rel="stylesheet" nonce="${view.nonce}" href="${path(view, assetPath('style.css'))}">
${summary?.description && html`<meta name="description" content="${summary.description}">\n`}${imports && importMap(view, imports)}${['app.js', ...scripts].map(script)}${shown?.map(([name, content]) => html`<meta property="og:${name}" content="${content}">\n`)}
${feeds.map(({ type, href, title }) => html`<link rel="alternate" type="application/${type}+xml" href="${href}" title="${title}">\n`)}`;
}

/** Stands before all scripts, as not every browser takes it later. */
function importMap(view: View, imports: Readonly<Record<string, string>>): Html {
  const addresses = Object.fromEntries(Object.entries(imports).map(([name, address]) => [name, path(view, address)]));
  const json = new Html(JSON.stringify({ imports: addresses }).replaceAll('<', '\\u003c'));
  return html`<script type="importmap" nonce="${view.nonce}">${json}</script>\n`;
}

function topBar(settings: Settings, view: View): Html {
  const { instance, registration, access } = settings;
  const { user, text } = view;
  const link = (to: string, label: string) => html`<a href="${path(view, to)}">${label}</a>`;
  return html`<header class="top">
<a class="brand" href="${path(view, '')}"><img src="${path(view, 'favicon.ico')}" alt="" width="24" height="24"> ${instance.name}</a>
<nav aria-label="${text.common.navigation}">
${user && [link('issues', text.common.issues), link('pulls', text.common.pulls), link('milestones', text.issues.milestones)]}
${!isHidden(settings, view) && link('explore/repos', text.common.explore)}
</nav>
${
  !isHidden(settings, view) &&
  html`<form role="search" action="${path(view, 'explore/repos')}">
<input type="search" name="q" aria-label="${text.common.searchRepositories}" placeholder="${text.common.search}" data-key="/">
</form>${paletteLink(view)}`
}
${user ? userMenus(settings, view, user) : waysIn(view, registration.enabled && !access.requireSignInView)}
</header>`;
}

/** Leads to the search without scripts; with them it opens the palette (`palette.js`). */
function paletteLink(view: View): Html {
  const { open, placeholder, results, nothing, found } = view.text.palette;
  return html`<a class="plain palette-link" href="${path(view, 'explore/repos')}" title="${open}" aria-keyshortcuts="Control+K" data-palette="${path(view, PALETTE_PATH)}" data-root="${view.root}" data-placeholder="${placeholder}" data-results="${results}" data-nothing="${nothing}" data-found="${found}">${icon(view, 'command-palette', open)}</a>`;
}

/** Whether the instance shows nothing to this reader. */
function isHidden({ access }: Settings, { user }: View): boolean {
  return access.requireSignInView && !user;
}

function waysIn(view: View, canRegister: boolean): Html {
  const { text, here } = view;
  const login = path(view, here === '' || here === view.root ? 'user/login' : `user/login?redirect_to=${encodeURIComponent(here)}`);
  return html`<div class="account"><a href="${login}">${text.common.signIn}</a>
${canRegister && html`<a class="button" href="${path(view, 'user/sign_up')}">${text.common.register}</a>`}</div>`;
}

function userMenus(settings: Settings, view: View, user: User): Html {
  const { text } = view;
  const item = (to: string, label: string) => html`<a href="${path(view, to)}">${label}</a>`;
  return html`<div class="account">
<a class="plain bell" href="${path(view, 'notifications')}" data-events="${path(view, 'user/events')}" data-unread="${path(view, 'notifications/new')}" data-one="${text.live.newComment}" data-many="${text.live.newComments}">${icon(view, 'bell', text.common.notifications)}<span class="unread" role="status" hidden></span></a>
${menu(icon(view, 'plus', text.common.create), [
  item('repo/create', text.common.newRepository),
  settings.migrations.enabled && item('repo/migrate', text.migration.migrate),
  item('org/create', text.common.newOrganization),
])}
${menu(avatar(view, { login: user.name, avatar_url: avatarUrl({ settings }, user) }, 24), [
  html`<strong>${user.name}</strong>`,
  item(encodeURIComponent(user.name), text.common.profile),
  item('user/settings', text.common.settings),
  user.is_admin && item('-/admin', text.common.administration),
  item('user/logout', text.common.signOut),
])}
</div>`;
}
