import { findUser } from '../../access/find-user.ts';
import { blockUser, listBlocked, unblockUser } from '../../accounts/blocks/blocks.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { avatar } from '../components/avatar.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { path } from '../view.ts';
import { failed, type Problem, type Section } from './section.ts';

const MAX_NOTE = 255;

/** Whom a user or an organization does not want to hear from. */
export function blockPages<V extends Visit>(section: Section<V>, blockerOf: (visit: V) => User): readonly AnyRoute[] {
  return section.pages({
    show: (visit, context, problem) => list(section, visit, context, blockerOf(visit), problem),
    forms: {
      '': {
        isOneTransaction: true,
        send: async (visit, context) => {
          const { fields } = visit;
          const user = await namedUser(visit, context);
          const actor = signedInActor(context);
          if (fields.get('action') === 'unblock') await unblockUser(context, actor, blockerOf(visit), user);
          else await blockUser(context, actor, blockerOf(visit), user, fields.get('note') ?? '');
        },
      },
    },
  });
}

/**
 * The user whom a field of the form names.
 * @throws HttpError 422
 */
export async function namedUser({ fields, view }: Visit, { db }: Context, name = 'user'): Promise<User> {
  const given = fields.get(name)?.trim() ?? '';
  const user = await findUser(db, given);
  if (!user) throw unprocessable(view.text.manage.noUser(given.slice(0, 100)));
  return user;
}

async function list<V extends Visit>(section: Section<V>, visit: V, context: Context, blocker: User, problem?: Problem): Promise<Html> {
  const { view, fields } = visit;
  const text = view.text.owners;
  const page = requestedPage(visit, context.settings);
  const { users, total } = await listBlocked(context, blocker, page);
  const action = section.href(visit);
  const unblock = (name: string) =>
    actionButton(view, { action, label: text.unblock, title: text.unblockNamed(name), fields: { action: 'unblock', user: name } });
  const rows = html`<ul class="rows box">${users.map(
    (
      user,
    ) => html`<li>${avatar(view, presentUser(context, user), 24)} <a href="${path(view, encodeURIComponent(user.name))}"><strong>${user.name}</strong></a>
${user.full_name} <span class="push">${unblock(user.name)}</span></li>`,
  )}</ul>`;
  const again = (name: string) => (problem ? fields.get(name) : '');
  const form = html`${field({ name: 'user', label: view.text.manage.userName, value: again('user'), isRequired: true, autocomplete: 'off', maxLength: 255 })}
${field({ name: 'note', label: text.note, value: again('note'), hint: text.noteHint, maxLength: MAX_NOTE })}<button class="danger">${text.block}</button>`;
  return html`<p>${text.blocksHint}</p>${failed(view, problem, '')}${listOrEmpty(visit, page, { total, rows, empty: text.noBlocks })}
${section.heading(text.blockSomebody)}${postForm(view, form, { action })}`;
}
