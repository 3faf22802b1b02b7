import type { Context } from '../../context.ts';
import { transferOffer } from '../../repositories/transfer/transfer.ts';
import { actionButton } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { path } from '../view.ts';

/** The notice of an offered transfer, for users who decide about it. */
export async function transferBox({ view, repository }: RepositoryVisit, context: Context): Promise<Html | false> {
  const offer = await transferOffer(context, repository);
  if (!offer?.decides) return false;
  const { control: text } = view.text;
  const own = `${encodeURIComponent(repository.owner.name)}/${encodeURIComponent(repository.name)}`;
  const button = (action: string, label: string, className: string) =>
    actionButton(view, { action: path(view, `${own}/action/${action}`), label, className });
  return html`<div class="warning" role="status"><p>${text.offered(offer.recipient.name)}</p>
<div class="buttons">${button('accept_transfer', text.accept, 'primary')}${button('reject_transfer', text.reject, '')}</div></div>`;
}
