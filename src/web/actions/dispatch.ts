import { dispatchWorkflow, fullRef } from '../../actions/workflows/dispatch.ts';
import type { DispatchInput } from '../../actions/workflows/file/triggers.ts';
import { dispatchInputsOf } from '../../actions/workflows/workflows.ts';
import { listBranches } from '../../code/branches/branches.ts';
import { listTagNames } from '../../code/tags/tags.ts';
import type { Context } from '../../context.ts';
import { HttpError, unauthorized, unprocessable } from '../../http/errors.ts';
import { checkBox, type Field, field, postForm, select } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** Prefix of the names of input fields. */
const INPUT = 'input.';
/** Branches and tags that the form lists; the API accepts any. */
const MAX_REFS = 200;
const MAX_VALUE = 65_535;

/** Starts a workflow. @param again renders the page with the form and its error */
export async function dispatch(visit: RepositoryVisit, context: Context, again: (refused: HttpError) => Promise<Document>): Promise<Reply> {
  const { fields, view, repository } = visit;
  if (!context.actor) throw unauthorized('token is required');
  const [workflowId, ref] = [fields.get('workflow') ?? '', fields.get('ref') ?? ''];
  try {
    const declared = (await dispatchInputsOf(context, repository, workflowId, fullRef(ref))) ?? [];
    const inputs = Object.fromEntries(declared.map((input) => [input.name, inputValue(visit, input)]));
    const run = await dispatchWorkflow(context, repository, context.actor, { workflowId, ref, inputs });
    return seeOther(context, repositoryPath(view, repository, `actions/runs/${run.id}`).slice(view.root.length));
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return again(error);
  }
}

/** @throws HttpError 422 for a value that the input does not accept */
function inputValue({ view, fields }: RepositoryVisit, { name, type, isRequired, options }: DispatchInput): string {
  const { actions: text } = view.text;
  const sent = fields.get(INPUT + name);
  if (type === 'boolean') return String(sent === 'on');
  const value = type === 'number' ? (sent ?? '').trim() : (sent ?? '');
  if (isRequired && value === '') throw unprocessable(text.inputRequired(name));
  if (type === 'choice' && value !== '' && !options.includes(value)) throw unprocessable(text.inputNoOption(name));
  if (type === 'number' && value !== '' && !Number.isFinite(Number(value))) throw unprocessable(text.inputNoNumber(name));
  return value;
}

/** The form that starts a workflow by hand, with its branch or tag and its inputs. Empty for other workflows. */
export async function dispatchForm(visit: RepositoryVisit, context: Context, workflowId: string, isAgain: boolean): Promise<Html | false> {
  const { view, repository, fields } = visit;
  const { actions: text } = view.text;
  const main = `refs/heads/${repository.default_branch}`;
  const asked = (fields.get('ref') ?? '').slice(0, 255);
  const ref = asked === '' ? main : fullRef(asked);
  const atMain = await dispatchInputsOf(context, repository, workflowId);
  const inputs = ref === main ? atMain : await dispatchInputsOf(context, repository, workflowId, ref);
  if (!atMain && !inputs) return false;
  const action = repositoryPath(view, repository, 'actions');
  const chooser = html`<form class="row dispatch-ref" action="${action}"><input type="hidden" name="workflow" value="${workflowId}">
${await refField(visit, context, ref)}<button class="without-script">${text.showInputs}</button></form>`;
  const body = inputs
    ? html`<input type="hidden" name="workflow" value="${workflowId}"><input type="hidden" name="ref" value="${ref}">
${inputs.map((input) => inputField(visit, input, isAgain))}<button class="primary">${text.start}</button>`
    : undefined;
  return html`<details class="fold dispatch"${(isAgain || asked !== '') && html` open`}><summary class="button primary">${text.dispatch}</summary>
<div class="content">${chooser}${body ? postForm(view, body, { action }) : html`<p class="muted">${text.notAtRef}</p>`}</div></details>`;
}

async function refField({ view, repository }: RepositoryVisit, context: Context, chosen: string): Promise<Html> {
  const { actions: text, code } = view.text;
  const branches = (await listBranches(context, repository)).slice(0, MAX_REFS).map(({ name }) => ({ name, ref: `refs/heads/${name}` }));
  const named = (await listTagNames(context, repository, MAX_REFS)).names.map((name) => ({ name, ref: `refs/tags/${name}` }));
  const isListed = [...branches, ...named].some(({ ref }) => ref === chosen);
  const option = ({ name, ref }: { name: string; ref: string }) =>
    html`<option value="${ref}"${ref === chosen && html` selected`}>${name}</option>`;
  return html`<div class="field"><label for="f-ref">${text.dispatchRef}</label><select id="f-ref" name="ref" data-submit>
${!isListed && option({ name: chosen, ref: chosen })}<optgroup label="${code.branches}">${branches.map(option)}</optgroup>
${named.length > 0 && html`<optgroup label="${code.tags}">${named.map(option)}</optgroup>`}</select></div>`;
}

function inputField({ fields }: RepositoryVisit, input: DispatchInput, isAgain: boolean): Html {
  const { name, type, description, isRequired, options } = input;
  const value = isAgain ? (fields.get(INPUT + name) ?? '') : input.default;
  const label = description || name;
  if (type === 'boolean') return checkBox({ name: INPUT + name, label, isChecked: value === (isAgain ? 'on' : 'true') });
  if (type === 'choice') {
    const none = isRequired || options.includes('') ? [] : [['', '–'] as const];
    const choices = options.map((option) => [option, option] as const);
    return select({ name: INPUT + name, label, value, options: [...none, ...choices] });
  }
  const common: Field = { name: INPUT + name, label, value, isRequired, maxLength: MAX_VALUE };
  return type === 'number' ? field({ ...common, inputMode: 'decimal' }) : field(common);
}
