import type { FormFields } from '../../http/bodies/fields.ts';
import { checkBox, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import type { Choices } from './choices.ts';
import { labelDot } from './label.ts';
import { othersField } from './named-others.ts';

/** The ticked boxes beside a new issue or pull request. */
interface Ticked {
  readonly labels: readonly number[];
  readonly assignees: readonly string[];
}

/** The boxes of labels and assignees of a new issue or pull request; lists without an entry are left out. @param sent a form to be shown again */
export function sideBoxes(
  view: View,
  { labels, assignees, hasMore }: Pick<Choices, 'labels' | 'assignees' | 'hasMore'>,
  ticked: Ticked,
  sent?: FormFields,
): Html {
  const { issues: text } = view.text;
  const usable = labels.filter(({ id, is_archived: isArchived }) => !isArchived || ticked.labels.includes(id));
  const labelBoxes = usable.map(({ id, name, color }) =>
    checkBox({ name: 'label', value: String(id), label: html`${labelDot(color)} ${name}`, isChecked: ticked.labels.includes(id) }),
  );
  const people = assignees.map(({ login }) =>
    checkBox({ name: 'assignee', value: login, label: login, isChecked: ticked.assignees.includes(login) }),
  );
  return html`${boxes(text.labels, labelBoxes, hasMore?.labels && othersField(view, 'label', sent?.get('other_labels')))}
${boxes(text.assignee, people, hasMore?.assignees && othersField(view, 'assignee', sent?.get('other_assignees')))}`;
}

/** A group of boxes to tick; nothing without any. @param more the field for those without a box */
export function boxes(legend: string, list: readonly Html[], more: Html | false | undefined = false): Html | false {
  return (
    list.length > 0 &&
    html`<fieldset class="side-choices"><legend>${legend}</legend><div class="choices" tabindex="-1">${list}</div>${more}</fieldset>`
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
