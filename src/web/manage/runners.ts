import { registrationToken, resetRegistrationToken } from '../../actions/runners/registration-tokens.ts';
import { deleteRunner, getRunner, listRunners, presentRunner, setRunnerDisabled } from '../../actions/runners/runners.ts';
import type { ActionScope } from '../../actions/scope.ts';
import type { Context } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute, Requirement } from '../../http/route.ts';
import { copyField } from '../code/clone-box.ts';
import { fault } from '../components/fault.ts';
import { actionButton, postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import type { View } from '../view.ts';
import type { Problem, Section } from './section.ts';

/** Whose runners a page is about. */
interface RunnerOwner<V extends Visit> {
  readonly needs: readonly Requirement[];
  readonly scope: (visit: V) => ActionScope;
}

/** The runners of an owner; all of them for the instance. */
export function runnerPages<V extends Visit>(section: Section<V>, { needs, scope }: RunnerOwner<V>): readonly AnyRoute[] {
  const idOf = ({ params }: V) => pathId(params.id ?? '');
  return [
    ...section.pages({
      needs,
      show: (visit, context) => list(section, visit, context, scope(visit)),
      forms: { reset_registration_token: { send: async (visit, context) => void (await resetRegistrationToken(context, scope(visit))) } },
    }),
    ...section.pages({
      needs,
      sub: ':id(^[0-9]+$)',
      show: async (visit, context, problem) => one(section, visit, await getRunner(context, scope(visit), idOf(visit)), problem),
      forms: {
        'update-runner': {
          send: async (visit, context) => {
            await setRunnerDisabled(context, scope(visit), idOf(visit), visit.fields.get('disabled') === 'true');
            return section.address(visit, visit.params.id);
          },
        },
        delete: { isOneTransaction: true, send: (visit, context) => deleteRunner(context, scope(visit), idOf(visit)) },
      },
    }),
  ];
}

async function list<V extends Visit>(section: Section<V>, visit: V, context: Context, scope: ActionScope): Promise<Html> {
  const { view } = visit;
  const text = view.text.owners;
  const page = requestedPage(visit, context.settings);
  const { runners, total } = await listRunners(context, scope, page);
  const rows = html`<ul class="rows box">${runners.map(
    (
      runner,
    ) => html`<li><div><a href="${section.href(visit, String(runner.id))}"><strong>${runner.name}</strong></a> ${badges(view, runner)}
<span class="muted">${runner.labels.join(', ')}</span></div></li>`,
  )}</ul>`;
  return html`<p>${text.runnersHint}</p>${listOrEmpty(visit, page, { total, rows, empty: text.noRunners })}
${section.heading(text.addRunner)}<p>${text.tokenHint}</p>
${copyField(view, text.registrationToken, await registrationToken(context, scope))}
${actionButton(view, { action: section.href(visit, 'reset_registration_token'), label: text.resetToken })}`;
}

function one<V extends Visit>(section: Section<V>, visit: V, runner: ActionRunner, problem?: Problem): Html {
  const { view } = visit;
  const text = view.text.owners;
  const own = section.href(visit, String(runner.id));
  const { is_disabled: isDisabled } = runner;
  const change = { disabled: String(!isDisabled) };
  return html`${section.heading(html`${runner.name} ${badges(view, runner)}`)}${problem && fault(view, problem.error.message)}
<dl class="facts"><dt>${text.labels}</dt><dd>${runner.labels.length > 0 ? runner.labels.join(', ') : text.none}</dd>
<dt>${text.version}</dt><dd>${runner.version || text.unknown}</dd>
<dt>${text.lastOnline}</dt><dd>${runner.last_online_at > 0 ? timeAgo(view, runner.last_online_at) : text.never}</dd></dl>
<div class="buttons">${actionButton(view, { action: `${own}/update-runner`, label: isDisabled ? text.enableRunner : text.disableRunner, fields: change })}
${postForm(view, html`<button class="danger">${text.deleteRunner}</button>`, { action: `${own}/delete`, className: 'inline' })}</div>`;
}

function badges({ text }: View, runner: ActionRunner): Html {
  const { status, busy, disabled, ephemeral } = presentRunner(runner);
  const { owners } = text;
  return html`<span class="badge ${status === 'online' ? 'success' : ''}">${status === 'online' ? owners.online : owners.offline}</span>
${busy && html`<span class="badge">${owners.busy}</span> `}${disabled && html`<span class="badge warning">${owners.disabled}</span> `}${ephemeral && html`<span class="badge">${owners.ephemeral}</span>`}`;
}
