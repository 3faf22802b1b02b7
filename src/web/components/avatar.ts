import { type Html, html } from '../html.ts';
import { localUrl, type View } from '../view.ts';

/** A user or an organization as the API shows it, as far as an image and a link need it. */
export interface ShownUser {
  readonly login: string;
  readonly avatar_url: string;
  readonly full_name?: string;
}

/** The image of a user. @param size pixels */
export function avatar(view: View, { login, avatar_url: url }: ShownUser, size: 16 | 20 | 24 | 40 | 96): Html {
  return html`<img class="avatar" src="${localUrl(view, url)}" alt="@${login}" width="${size}" height="${size}" loading="lazy">`;
}

/** A link to the page of a user, with the image. Deleted accounts have no page. */
export function userLink(view: View, user: ShownUser | null | undefined, size: 16 | 20 | 24 = 20): Html {
  if (!user) return html`<span class="user">Ghost</span>`;
  const href = view.root + encodeURIComponent(user.login);
  return html`<a class="user" href="${href}" title="${user.full_name}">${avatar(view, user, size)} ${user.login}</a>`;
}
