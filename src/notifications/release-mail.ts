import { findRepository, type Repository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { fullName } from '../access/requirements.ts';
import { escapePath } from '../code/escape-path.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { ReleaseRow } from '../database/tables/releases.ts';
import type { StoredEvent } from '../events/events.ts';
import type { Mail } from '../mail/mail.ts';
import { renderMarkdown } from '../markup/markup.ts';
import { filesOfReleases } from '../releases/assets/files.ts';
import { findReleaseById } from '../releases/find.ts';
import { presentFiles, releaseHtmlUrl } from '../releases/present.ts';
import { markupContext } from '../rendering/lookups.ts';
import { repositoryHtmlUrl } from '../repositories/urls.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { peopleHeaders, repositoryHeaders } from './mail-headers.ts';
import { wantsMail } from './mail-preferences.ts';
import type { Mailing } from './mailing.ts';
import { type Receiver, watchersOf } from './receivers.ts';

/** A release, for its mails. */
interface PublishedRelease {
  repository: Repository;
  release: ReleaseRow;
  actor: User;
  /** A download: its name and its URL. */
  downloads: readonly { name: string; url: string }[];
}

/** A new release for those who watch its repository and may see releases. */
export async function releaseMailing({ payload }: StoredEvent<'release.published'>, context: Context): Promise<Mailing | undefined> {
  const published = await loadRelease(context, payload);
  if (!published) return undefined;
  const { repository, actor } = published;
  return {
    repository,
    candidates: async () => (await Array.fromAsync(watchersOf(context.db, repository.id))).filter((id) => id !== actor.id),
    wants: (user) => wantsMail(user, { isActor: false, isMentioned: false }),
    mayRead: (access) => access.canRead('releases'),
    write: (receiver) => write(context, published, receiver),
  };
}

async function loadRelease(context: Context, payload: StoredEvent<'release.published'>['payload']): Promise<PublishedRelease | undefined> {
  const repository = await findRepository(context.db, payload.repositoryId);
  const release = await findReleaseById(context.db, payload.releaseId);
  const actor = await findUserById(context.db, payload.actorId);
  // Neither deleted releases nor prereleases are mailed.
  if (!repository || !release || !actor || release.is_draft || release.is_prerelease) return undefined;
  const files = (await filesOfReleases(context, [release.id])).get(release.id) ?? [];
  const shown = presentFiles(context, repository, release, files);
  const archive = `${repositoryHtmlUrl(context.settings, repository)}/archive/${escapePath(release.tag_name)}`;
  const archives = ['.zip', '.tar.gz'].map((ending) => ({ name: `${release.tag_name}${ending}`, url: `${archive}${ending}` }));
  const downloads = shown.map(({ name, browser_download_url: url }) => ({ name, url }));
  return { repository, release, actor, downloads: [...(context.settings.repository.archivesEnabled ? archives : []), ...downloads] };
}

async function write(context: Context, published: PublishedRelease, { user, access }: Receiver): Promise<Mail> {
  const { repository, release, actor, downloads } = published;
  const page = releaseHtmlUrl(context, repository, release);
  const name = release.title || release.tag_name;
  const told = `${actor.full_name || actor.name} released ${release.tag_name} of ${fullName(repository)}`;
  const known = await markupContext({ ...context, actor: user }, { repository, access });
  const origin = { kind: 'comment' } as const;
  const note = release.note === '' ? '' : await renderMarkdown(release.note, { ...known, absoluteLinks: true, origin });
  const links = downloads.map(({ name, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a></li>`).join('');
  const list = downloads.map(({ name, url }) => `- ${name}: ${url}\n`).join('');
  return {
    to: user.email,
    sender: actor.full_name || actor.name,
    subject: `[${fullName(repository)}] ${name} (${release.tag_name})`,
    text: `${told}:\n\n${name}\n\n${release.note === '' ? '' : `${release.note}\n\n`}${list}-- \n${page}\n`,
    html: `<p>${escapeHtml(told)}:</p>\n<h4>${escapeHtml(name)}</h4>\n${note}\n<ul>${links}</ul>\n<p>--<br><a href="${escapeHtml(page)}">${escapeHtml(page)}</a></p>\n`,
    headers: headers(context, published, user),
  };
}

function headers(context: Context, { repository, release, actor }: PublishedRelease, user: User): Record<string, string> {
  return {
    'Message-ID': `<${fullName(repository)}/releases/${release.id}@${context.settings.server.domain}>`,
    ...repositoryHeaders(context, repository),
    ...peopleHeaders(actor, user, 'subscribed'),
  };
}
