import type { Context } from '../../../context.ts';
import { deleteRepositoryAvatar, setRepositoryAvatar } from '../../../repositories/avatar/avatar.ts';
import { repositoryAvatarUrl } from '../../../repositories/present.ts';
import { type Html, html } from '../../html.ts';
import { avatarBox, avatarForms } from '../../manage/avatar.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { localUrl } from '../../view.ts';
import { failed, formPath, type Problem } from './frame.ts';

/** The forms that set and delete the image of a repository. */
export const pictureForms = avatarForms<RepositoryVisit>({
  set: ({ repository }, context, base64) => setRepositoryAvatar(context, repository, base64),
  remove: ({ repository }, context) => deleteRepositoryAvatar(context, repository),
});

/** The image of a repository, with those forms. */
export function picture(visit: RepositoryVisit, { settings }: Context, problem?: Problem): Html {
  const { view, repository } = visit;
  const isOwn = repository.avatar !== '';
  const url = localUrl(view, repositoryAvatarUrl(settings, repository));
  const shown = isOwn && html`<img class="avatar" src="${url}" alt="" width="96" height="96">`;
  return html`<h3>${view.text.owners.picture}</h3>${failed(view, problem, 'avatar')}${avatarBox(view, { picture: shown, isOwn, action: formPath(visit, 'general') })}`;
}
