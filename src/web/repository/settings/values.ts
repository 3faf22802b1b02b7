import { repositoryOwner } from '../../../access/requirements.ts';
import { CreateOrUpdateSecretOption } from '../../../actions/secrets/schema.ts';
import { deleteSecret, listSecrets, setSecret } from '../../../actions/secrets/secrets.ts';
import { CreateVariableOption } from '../../../actions/variables/schema.ts';
import { createVariable, deleteVariable, listVariables, updateVariable } from '../../../actions/variables/variables.ts';
import type { Context } from '../../../context.ts';
import { bindValue } from '../../../http/body.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { actionButton, field, postForm, textArea } from '../../components/form.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';

/** Bytes of a form: a value has 65536, each of which may be escaped. */
const MAX_BYTES = 256 * 1024;
/** Characters of a value that the list shows. */
const MAX_SHOWN = 500;

/** What jobs of a repository get: secrets, of which only the names are shown, and variables. */
export const valuePages: readonly AnyRoute[] = [
  ...repositorySettingsPage({
    page: 'secrets',
    needs: [repositoryOwner],
    maxBytes: MAX_BYTES,
    show: secrets,
    forms: {
      set: {
        send: (visit, context) => {
          const options = bindValue(CreateOrUpdateSecretOption, {
            data: sentValue(visit),
            description: visit.fields.get('description') ?? '',
          });
          return setSecret(context, scopeOf(visit), nameOf(visit), options);
        },
      },
      delete: { send: (visit, context) => deleteSecret(context, scopeOf(visit), nameOf(visit)) },
    },
  }),
  ...repositorySettingsPage({
    page: 'variables',
    needs: [repositoryOwner],
    maxBytes: MAX_BYTES,
    show: variables,
    forms: {
      add: { send: (visit, context) => createVariable(context, scopeOf(visit), nameOf(visit), variableOf(visit)) },
      edit: { send: (visit, context) => updateVariable(context, scopeOf(visit), nameOf(visit), variableOf(visit)) },
      delete: { send: (visit, context) => deleteVariable(context, scopeOf(visit), nameOf(visit)) },
    },
  }),
];

function scopeOf({ repository }: RepositoryVisit) {
  return { repositoryId: repository.id };
}

function nameOf({ fields }: RepositoryVisit): string {
  return fields.get('name')?.trim() ?? '';
}

/** Browsers send lines with CRLF, which keys and scripts must not have. */
function sentValue({ fields }: RepositoryVisit): string {
  return (fields.get('value') ?? '').replaceAll('\r\n', '\n');
}

function variableOf(visit: RepositoryVisit) {
  return bindValue(CreateVariableOption, { value: sentValue(visit), description: visit.fields.get('description') ?? '' });
}

function removal(visit: RepositoryVisit, page: 'secrets' | 'variables', name: string): Html {
  const { removeShort, removeNamed } = visit.view.text.manage;
  const action = formPath(visit, page, 'delete');
  return actionButton(visit.view, { action, label: removeShort, title: removeNamed(name), fields: { name }, className: 'danger' });
}

/** @param value what is shown again; never a secret */
function addForm(
  visit: RepositoryVisit,
  { action, isAgain, value, label }: { action: string; isAgain: boolean; value: string; label: string },
): Html {
  const { view, fields } = visit;
  const text = view.text.manage;
  const again = (name: string) => (isAgain ? fields.get(name) : '');
  return postForm(
    view,
    html`${field({ name: 'name', label: text.name, value: again('name'), isRequired: true, maxLength: 255, hint: text.valueNameHint, autocomplete: 'off' })}
${textArea({ name: 'value', label: text.value, value, isRequired: true, rows: 4 })}
${field({ name: 'description', label: text.description, value: again('description'), maxLength: 255 })}
<button class="primary">${label}</button>`,
    { action },
  );
}

async function secrets(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view } = visit;
  const text = view.text.manage;
  const page = requestedPage(visit, context.settings);
  const { secrets, total } = await listSecrets(context, scopeOf(visit), page);
  const rows = html`<ul class="rows box">${secrets.map(
    ({
      name,
      description,
      created_at: created,
    }) => html`<li><div><strong><code>${name}</code></strong> <span class="muted">${description}</span><br>
<span class="muted">${view.text.settings.added} ${timeAgo(view, created)}</span></div><span class="push">${removal(visit, 'secrets', name)}</span></li>`,
  )}</ul>`;
  const isAgain = problem?.form === 'set';
  return html`<p>${text.secretsHint}</p>${failed(problem, 'delete')}${listOrEmpty(visit, page, { total, rows, empty: text.noSecrets })}
<h3>${text.setSecret}</h3>${failed(problem, 'set')}
${addForm(visit, { action: formPath(visit, 'secrets', 'set'), isAgain, value: '', label: text.setSecret })}`;
}

async function variables(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, fields } = visit;
  const text = view.text.manage;
  const page = requestedPage(visit, context.settings);
  const { variables, total } = await listVariables(context, scopeOf(visit), page);
  const change = (name: string, value: string, description: string) =>
    html`<details><summary>${view.text.common.edit}</summary>${postForm(
      view,
      html`<input type="hidden" name="name" value="${name}"><textarea name="value" rows="3" required aria-label="${text.valueOf(name)}">
${value}</textarea><input name="description" value="${description}" maxlength="255" aria-label="${text.descriptionOf(name)}">
<button>${view.text.common.save}</button>`,
      { action: formPath(visit, 'variables', 'edit') },
    )}</details>`;
  const rows = html`<ul class="rows box">${variables.map(
    ({ name, value, description }) => html`<li><div><strong><code>${name}</code></strong> <span class="muted">${description}</span>
<pre>${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}</pre>${change(name, value, description)}</div>
<span class="push">${removal(visit, 'variables', name)}</span></li>`,
  )}</ul>`;
  const isAgain = problem?.form === 'add';
  return html`<p>${text.variablesHint}</p>${failed(problem, 'edit')}${failed(problem, 'delete')}
${listOrEmpty(visit, page, { total, rows, empty: text.noVariables })}<h3>${text.addVariable}</h3>${failed(problem, 'add')}
${addForm(visit, { action: formPath(visit, 'variables', 'add'), isAgain, value: isAgain ? (fields.get('value') ?? '') : '', label: text.addVariable })}`;
}
