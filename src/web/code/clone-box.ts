import type { Repository } from '../../access/find-repository.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import { cloneUrl, sshUrl } from '../../repositories/urls.ts';
import { menu } from '../components/menu.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon, type View } from '../view.ts';

/** The clone URLs of a repository, for the protocols that the instance serves. */
export function cloneUrls({ settings }: Context, repository: Repository): { kind: 'http' | 'ssh'; url: string }[] {
  return [
    ...(settings.repository.httpGitEnabled ? [{ kind: 'http' as const, url: cloneUrl(settings, repository) }] : []),
    ...(settings.ssh.port ? [{ kind: 'ssh' as const, url: sshUrl(settings, repository) }] : []),
  ];
}

/** A text with a copy button. */
export function copyField(view: View, label: string, value: string): Html {
  const { copy, copied } = view.text.common;
  return html`<div class="copy-field"><input readonly value="${value}" aria-label="${label}">
<button type="button" data-copy="${value}" data-copied="${copied}" aria-label="${copy}">${icon(view, 'copy')}</button></div>`;
}

/** The menu of the ways to get the code. @param ref a branch, tag or commit, for downloads */
export function cloneMenu(view: View, context: Context, repository: Repository, ref: string): Html {
  const { text } = view;
  const archive = (format: string) => repositoryPath(view, repository, `archive/${escapePath(ref)}.${format}`);
  const labels = { http: text.repository.cloneHttp, ssh: text.repository.cloneSsh };
  return menu(
    html`${icon(view, 'code')} ${text.repository.clone}`,
    [
      ...cloneUrls(context, repository).map(
        ({ kind, url }) => html`<span class="menu-text">${labels[kind]}</span>${copyField(view, labels[kind], url)}`,
      ),
      html`<a rel="nofollow" href="${archive('zip')}">${icon(view, 'file-zip')} ${text.repository.downloadZip}</a>`,
      html`<a rel="nofollow" href="${archive('tar.gz')}">${icon(view, 'file-zip')} ${text.repository.downloadTar}</a>`,
    ],
    { className: 'primary' },
  );
}
