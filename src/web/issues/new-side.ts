import { checkBox, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import type { Choices } from './choices.ts';
import { labelDot } from './label.ts';

/** What is chosen beside a new issue or pull request. */
export interface ChosenBeside {
  readonly labels: readonly number[];
  readonly assignees: readonly string[];
  readonly milestone: string;
}

/** The boxes of labels and assignees of a new issue or pull request; lists without an entry are left out. */
export function sideBoxes(
  { text: { issues: text } }: View,
  choices: Pick<Choices, 'labels' | 'assignees'>,
  chosen: Pick<ChosenBeside, 'labels' | 'assignees'>,
): Html {
  return html`${boxes(
    text.labels,
    choices.labels.map(({ id, name, color }) =>
      checkBox({ name: 'label', value: String(id), label: html`${labelDot(color)} ${name}`, isChecked: chosen.labels.includes(id) }),
    ),
  )}
${boxes(
  text.assignee,
  choices.assignees.map(({ login }) =>
    checkBox({ name: 'assignee', value: login, label: login, isChecked: chosen.assignees.includes(login) }),
  ),
)}`;
}

/** A group of boxes to tick; nothing without any. */
export function boxes(legend: string, list: readonly Html[]): Html | false {
  return (
    list.length > 0 &&
    html`<fieldset class="side-choices"><legend>${legend}</legend><div class="choices" tabindex="-1">${list}</div></fieldset>`
  );
}

/** The open milestones; nothing without any. */
export function milestoneField(
  { text: { issues: text } }: View,
  { milestones }: Pick<Choices, 'milestones'>,
  chosen: string,
): Html | false {
  const open = milestones.filter(({ state }) => state === 'open');
  const options = [['0', text.noMilestone], ...open.map(({ id, title }) => [String(id), title] as const)] as const;
  return open.length > 0 && select({ name: 'milestone', label: text.milestone, value: chosen, options });
}
