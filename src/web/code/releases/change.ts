import { canRead, canWrite, notArchived, signedIn } from '../../../access/requirements.ts';
import { escapePath } from '../../../code/escape-path.ts';
import { deleteTag } from '../../../code/tags/change.ts';
import type { Context } from '../../../context.ts';
import type { AttachmentRow } from '../../../database/tables/issues.ts';
import type { ReleaseRow } from '../../../database/tables/releases.ts';
import type { Fields } from '../../../http/bodies/fields.ts';
import { conflict, HttpError, notFound, unprocessable } from '../../../http/errors.ts';
import type { HttpResponse } from '../../../http/responses.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { allowedName } from '../../../issues/attachments/allowed.ts';
import { renameAttachment } from '../../../issues/attachments/attachments.ts';
import { removeAttachments } from '../../../issues/attachments/remove.ts';
import type { StoredFile } from '../../../issues/attachments/store.ts';
import { addFile, filesOfReleases } from '../../../releases/assets/files.ts';
import { releaseOf, releaseOfTag } from '../../../releases/find.ts';
import { createRelease, deleteRelease, editRelease } from '../../../releases/releases.ts';
import { hasTag, makeReleaseTag, requireTagName } from '../../../releases/tag.ts';
import { renderComment } from '../../issues/render.ts';
import { type Reply, seeOther } from '../../page.ts';
import { repositoryPath } from '../../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { type ReleaseForm, releaseForm, typedRelease } from './form.ts';
import { sendNotes, withNotes } from './notes.ts';
import { discard, type ReceivedRelease, receiveRelease } from './received.ts';

const needs = [canRead('releases'), signedIn, canWrite('releases'), notArchived];
const withFiles = { needs, semaphore: 'uploads', readsBody: true } as const;

/** Creating, editing and deleting releases, and deleting tags. */
export const releaseChangePages: readonly AnyRoute[] = [
  ...repositoryPage({ ...withFiles, path: '/:owner/:repo/releases/new', get: newRelease, post: create }),
  ...repositoryPage({ ...withFiles, path: '/:owner/:repo/releases/edit/*', get: editedRelease, post: edit }),
  ...repositoryPage({ path: '/:owner/:repo/releases/generate-notes', needs, semaphore: 'searches', post: sendNotes }),
  ...repositoryPage({
    path: '/:owner/:repo/releases/delete',
    needs,
    post: async (visit, context) => {
      await deleteRelease(context, visit.repository, await releaseOf(context, visit, visit.fields.get('id') ?? ''));
      return to(visit, context, 'releases');
    },
  }),
  ...repositoryPage({
    path: '/:owner/:repo/tags/delete',
    needs: [canRead('code'), signedIn, canWrite('code'), notArchived],
    post: async (visit, context) => {
      await deleteTag(context, visit.repository, visit.access, visit.fields.get('name') ?? '');
      return to(visit, context, 'tags');
    },
  }),
];

/** `?tag=` names the tag. */
async function newRelease(visit: RepositoryVisit, context: Context): Promise<Reply> {
  if (visit.repository.is_empty) throw notFound();
  return releaseForm(visit, context, { ...typedRelease(visit.fields), tag: visit.fields.get('tag') ?? '', release: undefined, files: [] });
}

async function create(visit: RepositoryVisit, context: Context): Promise<Reply> {
  return withReceived(visit, context, undefined, async ({ fields, files }, shown) => {
    const { repository, access } = visit;
    const { tag, target, title, note, isPrerelease } = shown;
    const tagMessage = shown.hasTagMessage && title !== '' ? `${title}\n\n${note}` : undefined;
    if (fields.has('tag_only')) {
      requireTagName(tag);
      if (hasTag(context, repository, tag)) throw conflict(visit.view.text.release.tagExists(tag));
      await makeReleaseTag(context, repository, access, { name: tag, target, message: tagMessage });
      await discard(context, files);
      return to(visit, context, `src/tag/${escapePath(tag)}`);
    }
    const wanted = { tag, target, tagMessage, title, note, isDraft: fields.has('draft'), isPrerelease };
    const release = await createRelease(context, repository, access, wanted);
    await addAll(context, release, files);
    return to(visit, context, `releases/tag/${escapePath(tag)}`);
  });
}

async function editedRelease(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const release = await releaseOfTag(context, visit, visit.params['*'] ?? '');
  const { tag_name: tag, target, title, note, is_prerelease: isPrerelease } = release;
  const files = await filesOf(context, release);
  return releaseForm(visit, context, { release, files, tag, target, title, note, isPrerelease, hasTagMessage: false, previousTag: '' });
}

async function edit(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const release = await releaseOfTag(context, visit, visit.params['*'] ?? '');
  return withReceived(visit, context, release, async ({ fields, files }, shown) => {
    const { repository, access } = visit;
    const { title, note, isPrerelease } = shown;
    const changes = fileChanges(context, fields, await filesOf(context, release));
    // A published release keeps its tag.
    const moved = release.is_draft ? { tag: shown.tag, target: shown.target } : {};
    const isDraft = release.is_draft && fields.has('draft');
    const changed = await editRelease(context, repository, access, release, { ...moved, title, note, isPrerelease, isDraft });
    for (const { file, name } of changes) {
      if (name === undefined) await removeAttachments(context, { id: file.id });
      else await renameAttachment(context, file, name, context.settings.releases.allowedTypes);
    }
    await addAll(context, changed, files);
    return to(visit, context, `releases/tag/${escapePath(changed.tag_name)}`);
  });
}

/** Removes each file from the list before adding it: files that stay in the list belong to no release. */
async function addAll(context: Context, release: ReleaseRow, files: StoredFile[]): Promise<void> {
  for (let file = files.shift(); file; file = files.shift()) await addFile(context, release, file);
}

/** Renames or, without a name, deletes files. @throws HttpError 422 for invalid file names */
function fileChanges({ settings }: Context, fields: Fields, files: readonly AttachmentRow[]): { file: AttachmentRow; name?: string }[] {
  return files.flatMap((file) => {
    if (fields.get(`attachment-del-${file.uuid}`) === 'true') return [{ file }];
    const name = fields.get(`attachment-edit-${file.uuid}`) ?? file.name;
    if (name === file.name) return [];
    allowedName(settings.releases.allowedTypes, name);
    return [{ file, name }];
  });
}

async function filesOf(context: Context, { id }: ReleaseRow): Promise<readonly AttachmentRow[]> {
  return (await filesOfReleases(context, [id])).get(id) ?? [];
}

/** Parses the form, and shows it again with its error. Uploaded files are deleted then. */
async function withReceived(
  visit: RepositoryVisit,
  context: Context,
  release: ReleaseRow | undefined,
  change: (received: ReceivedRelease, shown: ReleaseForm) => Promise<Reply>,
): Promise<Reply> {
  const received = await receiveRelease(visit, context);
  const shown: ReleaseForm = { ...typedRelease(received.fields), release, files: release ? await filesOf(context, release) : [] };
  try {
    if (received.fields.has('preview')) {
      await discard(context, received.files);
      return await releaseForm(visit, context, { ...shown, preview: await renderComment(context, visit, shown.note) });
    }
    if (received.fields.has('generate')) {
      await discard(context, received.files);
      return await releaseForm(visit, context, await withNotes(visit, context, shown));
    }
    if (received.fields.size === 0) throw unprocessable('[]: the form is empty');
    return await change(received, shown);
  } catch (error) {
    await discard(context, received.files);
    if (!(error instanceof HttpError) || error.message === '') throw error;
    return await releaseForm(visit, context, { ...shown, problem: error.message });
  }
}

function to({ view, repository }: RepositoryVisit, context: Context, rest: string): HttpResponse {
  return seeOther(context, repositoryPath(view, repository, rest).slice(view.root.length));
}
