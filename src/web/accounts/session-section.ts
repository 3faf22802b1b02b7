import { listSessions } from '../../accounts/sessions/sessions.ts';
import type { Context } from '../../context.ts';
import { actionButton } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { SignedInVisit } from '../page.ts';
import { path } from '../view.ts';
import { browserName } from './browser-name.ts';

const ROOT = 'user/settings/security';

/** The browsers that are signed in as the user. */
export async function sessionSection({ user, view, visitor }: SignedInVisit, context: Context): Promise<Html> {
  const { security: text } = view.text;
  const sessions = await listSessions(context, user);
  const others = sessions.filter(({ id }) => id !== visitor.session?.id).length;
  const end = (id: number) =>
    actionButton(view, { action: path(view, `${ROOT}/sessions/end`), label: text.signOut, fields: { id }, className: 'danger' });
  const rows = sessions.map(({ id, ip, user_agent: agent, created_at: created, used_at: used }) => {
    const { browser, system } = browserName(agent);
    const name = browser === '' ? text.unknownBrowser : system === '' ? browser : text.browserOn(browser, system);
    return html`<li><div><strong title="${agent}">${name}</strong> ${id === visitor.session?.id && html`<span class="badge success">${text.thisOne}</span>`}<br>
<span class="muted">${ip} · ${text.signedIn} ${timeAgo(view, created)} · ${text.lastUsed} ${timeAgo(view, used)}</span></div>
<span class="push">${id !== visitor.session?.id && end(id)}</span></li>\n`;
  });
  const endOthers = { action: path(view, `${ROOT}/sessions/end_others`), label: text.signOutOthers(others), className: 'danger' };
  return html`<ul class="rows box">${rows}</ul>${others > 0 && actionButton(view, endOthers)}`;
}
