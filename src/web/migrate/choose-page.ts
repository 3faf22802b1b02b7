import type { Document } from '../document.ts';
import { html } from '../html.ts';
import type { Visit } from '../page.ts';
import { path } from '../view.ts';
import { SERVICE_FORMS } from './services.ts';

/** The services to migrate repositories from. Other parameters of the URL are passed on to their forms. */
export function choosePage({ view, fields }: Visit): Document {
  const { migration: text } = view.text;
  const links = SERVICE_FORMS.map(({ service, type }) => {
    const query = new URLSearchParams([...fields].filter(([name]) => name !== 'service_type'));
    query.set('service_type', String(type));
    return html`<li><a href="${path(view, `repo/migrate?${query}`)}"><strong>${text.services[service]}</strong><span class="muted">${text.brings[service]}</span></a></li>`;
  });
  return {
    title: text.migrate,
    body: html`<p>${text.choose}</p><ul class="services">${links}</ul>`,
  };
}
