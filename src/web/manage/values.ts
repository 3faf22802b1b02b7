import type { ActionScope } from '../../actions/scope.ts';
import { CreateOrUpdateSecretOption } from '../../actions/secrets/schema.ts';
import { deleteSecret, listSecrets, setSecret } from '../../actions/secrets/secrets.ts';
import { CreateVariableOption } from '../../actions/variables/schema.ts';
import { createVariable, deleteVariable, listVariables, updateVariable } from '../../actions/variables/variables.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/bodies/body.ts';
import type { AnyRoute, Requirement } from '../../http/route.ts';
import { actionButton, field, postForm, textArea } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { failed, type Problem, type Section } from './section.ts';

/** Size limit of a form, in bytes: a value has up to 65536, each of which may be escaped. */
const MAX_BYTES = 256 * 1024;
/** Length limit of a value that the list shows in characters. */
const MAX_SHOWN = 500;

/** Whose secrets or variables a page is about. */
interface ValueOwner<V extends Visit> {
  readonly needs: readonly Requirement[];
  readonly scope: (visit: V) => ActionScope;
}

/** The secrets of jobs; only their names are shown. */
export function secretPages<V extends Visit>(section: Section<V>, { needs, scope }: ValueOwner<V>): readonly AnyRoute[] {
  return section.pages({
    needs,
    maxBytes: MAX_BYTES,
    show: (visit, context, problem) => secrets(section, visit, context, scope(visit), problem),
    forms: {
      set: {
        send: (visit, context) => {
          const description = visit.fields.get('description') ?? '';
          const options = bindValue(CreateOrUpdateSecretOption, { data: sentValue(visit), description });
          return setSecret(context, scope(visit), nameOf(visit), options).then(() => undefined);
        },
      },
      delete: { isOneTransaction: true, send: (visit, context) => deleteSecret(context, scope(visit), nameOf(visit)) },
    },
  });
}

/** The variables that jobs get. */
export function variablePages<V extends Visit>(section: Section<V>, { needs, scope }: ValueOwner<V>): readonly AnyRoute[] {
  return section.pages({
    needs,
    maxBytes: MAX_BYTES,
    show: (visit, context, problem) => variables(section, visit, context, scope(visit), problem),
    forms: {
      add: { send: (visit, context) => createVariable(context, scope(visit), nameOf(visit), variableOf(visit)) },
      edit: { send: (visit, context) => updateVariable(context, scope(visit), nameOf(visit), variableOf(visit)) },
      delete: { isOneTransaction: true, send: (visit, context) => deleteVariable(context, scope(visit), nameOf(visit)) },
    },
  });
}

function nameOf({ fields }: Visit): string {
  return fields.get('name')?.trim() ?? '';
}

/** Browsers send lines with CRLF, which keys and scripts must not have. */
function sentValue({ fields }: Visit): string {
  return (fields.get('value') ?? '').replaceAll('\r\n', '\n');
}

function variableOf(visit: Visit) {
  return bindValue(CreateVariableOption, { value: sentValue(visit), description: visit.fields.get('description') ?? '' });
}

function removal<V extends Visit>(section: Section<V>, visit: V, name: string): Html {
  const { removeShort, removeNamed } = visit.view.text.manage;
  const action = section.href(visit, 'delete');
  return actionButton(visit.view, { action, label: removeShort, title: removeNamed(name), fields: { name }, className: 'danger' });
}

/** @param value the value to show again; never a secret */
function addForm(
  visit: Visit,
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

async function secrets<V extends Visit>(
  section: Section<V>,
  visit: V,
  context: Context,
  scope: ActionScope,
  problem?: Problem,
): Promise<Html> {
  const { view } = visit;
  const text = view.text.manage;
  const page = requestedPage(visit, context.settings);
  const { secrets, total } = await listSecrets(context, scope, page);
  const rows = html`<ul class="rows box">${secrets.map(
    ({
      name,
      description,
      created_at: created,
    }) => html`<li><div><strong><code>${name}</code></strong> <span class="muted">${description}</span><br>
<span class="muted">${view.text.settings.added} ${timeAgo(view, created)}</span></div><span class="push">${removal(section, visit, name)}</span></li>`,
  )}</ul>`;
  const isAgain = problem?.form === 'set';
  return html`<p>${text.secretsHint}</p>${failed(view, problem, 'delete')}${listOrEmpty(visit, page, { total, rows, empty: text.noSecrets })}
${section.heading(text.setSecret)}${failed(view, problem, 'set')}
${addForm(visit, { action: section.href(visit, 'set'), isAgain, value: '', label: text.setSecret })}`;
}

async function variables<V extends Visit>(
  section: Section<V>,
  visit: V,
  context: Context,
  scope: ActionScope,
  problem?: Problem,
): Promise<Html> {
  const { view, fields } = visit;
  const text = view.text.manage;
  const page = requestedPage(visit, context.settings);
  const { variables, total } = await listVariables(context, scope, page);
  const change = (name: string, value: string, description: string) =>
    html`<details><summary>${view.text.common.edit}</summary>${postForm(
      view,
      html`<input type="hidden" name="name" value="${name}"><textarea name="value" rows="3" required aria-label="${text.valueOf(name)}">
${value}</textarea><input name="description" value="${description}" maxlength="255" aria-label="${text.descriptionOf(name)}">
<button>${view.text.common.save}</button>`,
      { action: section.href(visit, 'edit') },
    )}</details>`;
  const rows = html`<ul class="rows box">${variables.map(
    ({ name, value, description }) => html`<li><div><strong><code>${name}</code></strong> <span class="muted">${description}</span>
<pre>${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}</pre>${change(name, value, description)}</div>
<span class="push">${removal(section, visit, name)}</span></li>`,
  )}</ul>`;
  const isAgain = problem?.form === 'add';
  return html`<p>${text.variablesHint}</p>${failed(view, problem, 'edit')}${failed(view, problem, 'delete')}
${listOrEmpty(visit, page, { total, rows, empty: text.noVariables })}${section.heading(text.addVariable)}${failed(view, problem, 'add')}
${addForm(visit, { action: section.href(visit, 'add'), isAgain, value: isAgain ? (fields.get('value') ?? '') : '', label: text.addVariable })}`;
}
