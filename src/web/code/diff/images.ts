import type { ChangedFile } from '../../../git/diff/changes.ts';
import { type Html, html } from '../../html.ts';
import type { View } from '../../view.ts';
import { diffAnchor } from './source.ts';

/** Ways to compare two versions of an image. */
const MODES = ['sides', 'swipe', 'onion'] as const;

/**
 * Two versions of an image: beside each other, one over the other with a line between them, or one shining through. A choice shows which,
 * without scripts; with them the line and the light can be moved.
 * @param before and after their URLs; undefined if there is no such version
 */
export function imagesView(view: View, file: ChangedFile, before: string | undefined, after: string | undefined): Html {
  const { diff: text } = view.text;
  const { path, oldPath } = file;
  const picture = (url: string, at: string, label: string) =>
    html`<figure><figcaption>${label}</figcaption><img src="${url}" alt="${label}: ${at}" loading="lazy"></figure>`;
  const sides = html`<div class="diff-images">${before !== undefined && picture(before, oldPath ?? path, text.before)}${after !== undefined && picture(after, path, text.after)}</div>`;
  if (before === undefined || after === undefined) return html`<div class="content">${sides}</div>`;
  const id = diffAnchor(path);
  const names = { sides: text.sideBySide, swipe: text.swipe, onion: text.onionSkin };
  const choices = MODES.map(
    (mode) =>
      html`<label class="choice"><input type="radio" name="${id}-mode" value="${mode}"${mode === 'sides' && html` checked`}> ${names[mode]}</label> `,
  );
  const layers = html`<div class="image-layers"><img src="${before}" alt="${text.before}: ${oldPath ?? path}" loading="lazy"><img class="upper" src="${after}" alt="${text.after}: ${path}" loading="lazy"></div>
<input type="range" min="0" max="100" value="50" aria-label="${text.blend}">`;
  return html`<div class="content image-diff"><fieldset class="row"><legend class="visually-hidden">${text.imageMode}</legend>${choices}</fieldset>${sides}<div class="image-over">${layers}</div></div>`;
}
