import type { Context } from '../../context.ts';
import { listInvitations } from '../../organizations/invitations/invitations.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { TeamVisit } from '../resource-pages.ts';

/** The invitations to a team by mail, and the form that invites; for users who manage it. @param own the path of the team */
export async function invitationSection(visit: TeamVisit, context: Context, own: string): Promise<Html> {
  const { view, team, fields, request } = visit;
  const { invitations: text, account } = view.text;
  const open = await listInvitations(context, team);
  const withdraw = (id: number, email: string) =>
    actionButton(view, {
      action: `${own}/action/remove_invite`,
      label: text.withdraw,
      title: text.withdrawNamed(email),
      fields: { iid: id },
      className: 'danger',
    });
  const list = html`<h3>${text.open}</h3><ul class="rows box">${open.map(
    ({ id, email, created_at: created, expires_at: expires }) => html`<li><div><strong>${email}</strong><br>
<span class="muted">${text.invited} ${timeAgo(view, created)}, ${text.goodUntil} ${timeAgo(view, expires)}</span></div><span class="push">${withdraw(id, email)}</span></li>`,
  )}</ul>`;
  const typed = request.method === 'POST' ? fields.get('email') : '';
  const form = html`${field({ name: 'email', label: account.email, type: 'email', value: typed, isRequired: true, maxLength: 254, autocomplete: 'off', hint: text.hint })}
<button>${text.invite}</button>`;
  const invite = html`<h3>${text.inviteByMail}</h3>${postForm(view, form, { action: `${own}/action/invite` })}`;
  return html`${open.length > 0 && list}${context.settings.mail.enabled && invite}`;
}
