import { ISSUE_ORDERS } from '../../issues/issue-filter.ts';
import { menu } from '../components/menu.ts';
import { type Html, html } from '../html.ts';
import { icon, type View } from '../view.ts';
import type { Choices } from './choices.ts';
import { labelDot } from './label.ts';
import { choiceQuery, type ListChoice, NOBODY, REVIEW_CHOICES, SOMEBODY } from './list-choice.ts';
import { nameOf } from './project-part.ts';

/** The menus above a list of issues. Each is a list of links to the same list with another choice. @param list its path, and whether it is of pull requests */
export function filterMenus(view: View, { base, isPull }: { base: string; isPull: boolean }, choice: ListChoice, choices: Choices): Html {
  const { issues, projects } = view.text;
  const to: LinkTo = (change) => base + choiceQuery({ ...choice, ...change });
  const item = itemOf(to);
  return html`${labelMenu(view, choice, choices, to, `${base.slice(0, base.lastIndexOf('/'))}/labels`)}
${milestoneMenu(view, choice, choices, to)}
${
  choices.projects.length > 0 &&
  menu(projects.project, [
    item({ project: undefined }, projects.anyProject, choice.project === undefined),
    item({ project: 'none' }, projects.noProject, choice.project === 'none'),
    ...choices.projects.map((project) => item({ project: project.id }, nameOf(project), choice.project === project.id)),
  ])
}
${personMenu(view, choice, 'poster', issues.author, to)}
${assigneeMenu(view, choice, choices, to)}
${personMenu(view, choice, 'mentioned', issues.mentioned, to)}
${isPull && view.user !== null && reviewMenu(view, choice, item)}
${menu(
  issues.sort,
  ISSUE_ORDERS.map((sort) => item({ sort }, issues.orders[sort], choice.sort === sort)),
)}`;
}

/** The URL of the same list, or board, with another filter. */
export type LinkTo = (change: Partial<ListChoice>) => string;

function reviewMenu({ text: { issues } }: View, { review }: ListChoice, item: ReturnType<typeof itemOf>): Html {
  const labels = { review_requested: issues.reviewRequested, reviewed_by: issues.reviewedByYou };
  const any = item({ review: undefined }, issues.anyReview, review === undefined);
  return menu(issues.reviews, [any, ...REVIEW_CHOICES.map((name) => item({ review: name }, labels[name], review === name))]);
}

function itemOf(to: LinkTo) {
  return (change: Partial<ListChoice>, label: Html | string, isCurrent: boolean) =>
    html`<a href="${to(change)}"${isCurrent && html` aria-current="true"`}>${label}</a>`;
}

/** The menu of milestones. */
export function milestoneMenu(
  { text: { issues } }: View,
  choice: ListChoice,
  { milestones }: Pick<Choices, 'milestones'>,
  to: LinkTo,
): Html {
  const item = itemOf(to);
  return menu(issues.milestone, [
    item({ milestone: undefined }, issues.anyMilestone, choice.milestone === undefined),
    item({ milestone: 'none' }, issues.noMilestone, choice.milestone === 'none'),
    ...milestones.map(({ id, title }) => item({ milestone: id }, title, choice.milestone === id)),
  ]);
}

/** The menu of those to whom issues are assigned. */
export function assigneeMenu(
  view: View,
  choice: ListChoice,
  { assignees, hasMore }: Pick<Choices, 'assignees' | 'hasMore'>,
  to: LinkTo,
): Html {
  const { issues } = view.text;
  const item = itemOf(to);
  return menu(issues.assignee, [
    item({ assignee: '' }, issues.anybody, choice.assignee === ''),
    item({ assignee: NOBODY }, issues.nobody, choice.assignee === NOBODY),
    item({ assignee: SOMEBODY }, issues.somebody, choice.assignee === SOMEBODY),
    ...assignees.map((user) =>
      item({ assignee: user.login }, html`${userPicture(view, user)} ${user.login}`, choice.assignee === user.login),
    ),
    hasMore?.assignees && nameForm(view, choice, 'assignee', to),
  ]);
}

function userPicture(view: View, { avatar_url: url }: { avatar_url: string }): Html {
  return html`<img class="avatar" src="${url.startsWith(view.rootUrl) ? view.root + url.slice(view.rootUrl.length) : url}" alt="" width="20" height="20" loading="lazy">`;
}

/** The menu of labels. Each is required by one link, excluded by another. */
export function labelMenu(
  view: View,
  choice: ListChoice,
  { labels, hasMore }: Pick<Choices, 'labels' | 'hasMore'>,
  to: LinkTo,
  all?: string,
): Html {
  const { issues } = view.text;
  const toggled = (ids: readonly number[], id: number) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  const without = (ids: readonly number[], id: number) => ids.filter((other) => other !== id);
  const entry = ({ id, name, color }: Choices['labels'][number]) => {
    const isWanted = choice.labels.includes(id);
    const isExcluded = choice.withoutLabels.includes(id);
    const wanted = to({ isUnlabelled: false, labels: toggled(choice.labels, id), withoutLabels: without(choice.withoutLabels, id) });
    const excluded = to({ isUnlabelled: false, withoutLabels: toggled(choice.withoutLabels, id), labels: without(choice.labels, id) });
    return html`<a href="${wanted}"${isWanted && html` aria-current="true"`}>${labelDot(color)} <span class="grow">${name}</span></a>
<a class="exclude" href="${excluded}" title="${issues.without(name)}" aria-label="${issues.without(name)}"${isExcluded && html` aria-current="true"`}>${icon(view, 'no-entry')}</a>`;
  };
  const offered = labels.filter(
    ({ id, is_archived: isArchived }) =>
      !isArchived || choice.archivedLabels || choice.labels.includes(id) || choice.withoutLabels.includes(id),
  );
  const hasArchived = labels.some(({ is_archived: isArchived }) => isArchived);
  const item = itemOf(to);
  const none = { labels: [], withoutLabels: [] };
  const { isUnlabelled } = choice;
  const any = item(
    { ...none, isUnlabelled: false },
    issues.anyLabel,
    choice.labels.length + choice.withoutLabels.length === 0 && !isUnlabelled,
  );
  const lacking = item({ ...none, isUnlabelled: true }, issues.noLabel, isUnlabelled);
  return menu(
    issues.label,
    [
      any,
      lacking,
      ...offered.map(entry),
      hasArchived && item({ archivedLabels: !choice.archivedLabels }, issues.archivedLabels, choice.archivedLabels),

      all !== undefined && hasMore?.labels && html`<a class="muted" href="${all}">${issues.allLabels}</a>`,
    ],
    { className: 'label-menu' },
  );
}

/** The menu of somebody by name, or the reader. */
export function personMenu(view: View, choice: ListChoice, name: 'poster' | 'mentioned', label: string, to: LinkTo): Html {
  const { issues } = view.text;
  const item = (value: string, text: string) => itemOf(to)({ [name]: value }, text, choice[name] === value);
  return menu(label, [item('', issues.anybody), view.user !== null && item(view.user.name, issues.me), nameForm(view, choice, name, to)]);
}

/** The form in a menu for the name of somebody. */
function nameForm({ text: { issues } }: View, choice: ListChoice, name: 'poster' | 'mentioned' | 'assignee', to: LinkTo): Html {
  const [action = '', query = ''] = to({ [name]: '' }).split('?', 2);
  const others = [...new URLSearchParams(query)];
  return html`<form class="menu-form" action="${action}">${others.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
<input name="${name}" value="${choice[name]}" aria-label="${issues.userName}" placeholder="${issues.userName}" maxlength="100"> <button>${issues.apply}</button></form>`;
}

/** The active filters, each with a link that removes it; empty if there are none. @param base without filters */
export function chosen(
  view: View,
  base: string,
  choice: ListChoice,
  { labels, milestones, projects }: Choices,
  to: LinkTo = (change) => base + choiceQuery({ ...choice, ...change }),
): Html | false {
  const { issues, projects: text } = view.text;
  const reviews = { review_requested: issues.reviewRequested, reviewed_by: issues.reviewedByYou };
  const labelName = (id: number) => labels.find((label) => label.id === id)?.name ?? `#${id}`;
  const { milestone, project } = choice;
  const board = projects.find((other) => other.id === project);
  const boardTitle = project === 'none' ? text.noProject : board ? nameOf(board) : `#${project}`;
  const title = milestone === 'none' ? issues.noMilestone : (milestones.find(({ id }) => id === milestone)?.title ?? `#${milestone}`);
  const parts: [string, Partial<ListChoice>][] = [
    ...choice.labels.map((id): [string, Partial<ListChoice>] => [
      `${issues.label}: ${labelName(id)}`,
      { labels: choice.labels.filter((other) => other !== id) },
    ]),
    ...choice.withoutLabels.map((id): [string, Partial<ListChoice>] => [
      issues.without(labelName(id)),
      { withoutLabels: choice.withoutLabels.filter((other) => other !== id) },
    ]),
    ...(choice.isUnlabelled ? [[issues.noLabel, { isUnlabelled: false }] as [string, Partial<ListChoice>]] : []),
    ...(choice.review === undefined ? [] : [[reviews[choice.review], { review: undefined }] as [string, Partial<ListChoice>]]),
    ...(milestone === undefined ? [] : [[`${issues.milestone}: ${title}`, { milestone: undefined }] as [string, Partial<ListChoice>]]),
    ...(project === undefined ? [] : [[`${text.project}: ${boardTitle}`, { project: undefined }] as [string, Partial<ListChoice>]]),
    ...(['poster', 'assignee', 'mentioned'] as const).flatMap((name): [string, Partial<ListChoice>][] => {
      const value = choice[name] === NOBODY ? issues.nobody : choice[name] === SOMEBODY ? issues.somebody : choice[name];
      const label = name === 'poster' ? issues.author : issues[name];
      return choice[name] === '' ? [] : [[`${label}: ${value}`, { [name]: '' }]];
    }),
  ];
  if (parts.length === 0) return false;
  return html`<p class="chosen">${parts.map(([label, change]) => html`<a class="badge" href="${to(change)}">${label} ${icon(view, 'x')}</a> `)}
<a href="${base}">${issues.clearFilters}</a></p>`;
}
