import type { Context } from '../../context.ts';
import { receiveFile } from '../../http/bodies/upload.ts';
import { actionButton, postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import type { View } from '../view.ts';
import type { SectionForm } from './section.ts';

/** The forms that change an image. */
interface AvatarRules<V> {
  /** @param base64 the file */
  readonly set: (visit: V, context: Context, base64: string) => Promise<void>;
  readonly remove: (visit: V, context: Context) => Promise<void>;
}

/** The forms that give something an image, and take it away. */
export function avatarForms<V extends Visit>({ set, remove }: AvatarRules<V>): Readonly<Record<string, SectionForm<V>>> {
  return {
    avatar: { readsBody: true, send: async (visit, context) => set(visit, context, await receivedPicture(visit, context)) },
    'avatar/delete': { send: remove },
  };
}

async function receivedPicture({ request }: Visit, context: Context): Promise<string> {
  const { maxSize } = context.settings.avatars;
  return receiveFile(request.raw, context, { field: 'avatar', maxSize }, async ({ content }) => {
    const chunks: Buffer[] = [];
    for await (const chunk of content as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString('base64');
  });
}

/** The image that there is, and the forms. @param action the path of the page */
export function avatarBox(view: View, { picture, isOwn, action }: { picture: Html | false; isOwn: boolean; action: string }): Html {
  const { owners: text } = view.text;
  const upload = html`<div class="field"><label for="f-avatar">${text.newPicture}</label>
<input id="f-avatar" type="file" name="avatar" accept="image/png,image/jpeg,image/gif,image/webp" required><p class="hint">${text.pictureHint}</p></div>
<button>${text.upload}</button>`;
  return html`<div class="avatar-box">${picture}<div>${postForm(view, upload, { action: `${action}/avatar`, files: true })}
${isOwn && actionButton(view, { action: `${action}/avatar/delete`, label: text.removePicture, className: 'danger' })}</div></div>`;
}
