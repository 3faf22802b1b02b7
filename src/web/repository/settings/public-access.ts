import type { Context } from '../../../context.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { OPENABLE_UNITS, publicAccessChoices, publicAccessOf, setPublicAccess } from '../../../repositories/edit/public-access.ts';
import { postForm, select } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';

/** Units that are open to more people than the repository. */
export const publicAccessPages: readonly AnyRoute[] = repositorySettingsPage({
  page: 'publicAccess',
  show,
  forms: { '': { send: ({ repository, fields }, context) => setPublicAccess(context, repository, Object.fromEntries(fields)) } },
});

async function show(visit: RepositoryVisit, { settings }: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const { publicAccess: text, manage, common } = view.text;
  if (settings.repository.forcePrivate) return html`<p class="notice">${text.forcePrivate}</p>`;
  const choices = OPENABLE_UNITS.flatMap((unit) => {
    const stored = repository.units[unit];
    if (!stored) return [];
    const options = publicAccessChoices(unit).map((access) => [access, text.access[access]] as const);
    const value = (problem && fields.get(unit)) || publicAccessOf(stored);
    return [select({ name: unit, label: manage.units[unit], value, options })];
  });
  return html`<p>${text.hint}</p>${failed(view, problem, '')}
<ul><li>${text.notSetHint}</li><li>${text.anonymousHint}</li><li>${text.everyoneHint}</li><li>${text.writeHint}</li></ul>
${postForm(view, html`${choices}<button class="primary">${common.save}</button>`, { action: formPath(visit, 'publicAccess') })}`;
}
