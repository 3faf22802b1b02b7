import { postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../view.ts';
import type { Conversation } from './conversation.ts';

/** A part of the side bar. @param form the form that changes it; without it the user may not */
export function sidePart({ visit: { view } }: Conversation, title: string, shown: Html, form?: Html | false): Html {
  const edit =
    form &&
    html`<details class="side-edit"><summary aria-label="${view.text.timeline.choose(title)}" title="${view.text.timeline.choose(title)}">${icon(view, 'gear')}</summary>${form}</details>`;
  return html`<section class="side-part"><h2>${title}</h2>${edit}<div class="side-shown">${shown}</div></section>`;
}

/** The form of a part: its fields, and a button. @param action the word of `changeConversation` */
export function sideForm({ visit: { view }, path }: Conversation, action: string, fields: Html): Html {
  return postForm(view, html`<input type="hidden" name="do" value="${action}">${fields}<button>${view.text.common.save}</button>`, {
    action: path,
    className: 'side-form',
  });
}
