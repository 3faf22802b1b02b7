import { JOB_UNITS, TOKEN_MODES, type TokenSettings } from '../../access/job-levels.ts';
import { TOKEN_LEVELS } from '../../actions/settings/token-settings.ts';
import { checkBox } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import type { Problem } from './section.ts';

/** The fields of the permissions of job tokens. After an error they show the input. */
export function tokenFields({ view, fields }: Visit, { mode, maximum }: TokenSettings, problem: Problem | undefined): Html {
  const { jobTokens: text, manage, owners } = view.text;
  const chosen = problem ? fields.get('token_permission_mode') : mode;
  const isLimited = problem ? fields.get('enable_max_permissions') === 'on' : maximum !== null;
  const level = (unit: (typeof JOB_UNITS)[number]) =>
    (problem && fields.get(`max_${unit}`)) || (maximum === null ? 'write' : (maximum[unit] ?? 'none'));
  const modes = TOKEN_MODES.map(
    (
      one,
    ) => html`<div class="field"><label class="choice"><input type="radio" name="token_permission_mode" value="${one}"${one === chosen && html` checked`}> ${text.modes[one]}</label>
<p class="hint">${text.modeHints[one]}</p></div>`,
  );
  const rows = JOB_UNITS.map(
    (unit) => html`<tr><th scope="row"><label for="max-${unit}">${manage.units[unit]}</label></th>
<td><select id="max-${unit}" name="max_${unit}">${TOKEN_LEVELS.map(
      (one) => html`<option value="${one}"${one === level(unit) && html` selected`}>${owners.levels[one]}</option>`,
    )}</select></td></tr>`,
  );
  return html`<fieldset><legend>${text.mode}</legend><p class="hint">${text.modeHint}</p>${modes}</fieldset>
<fieldset><legend>${text.maximum}</legend><p class="hint">${text.maximumHint}</p>
${checkBox({ name: 'enable_max_permissions', label: text.limit, hint: text.limitHint, isChecked: isLimited })}
<table class="scopes"><tbody>${rows}</tbody></table></fieldset>
<button class="primary">${view.text.common.save}</button>`;
}
