import { html } from '../html.ts';
import { projectsPath } from '../projects/owner.ts';
import type { ShownEvent, WholeConversation } from './conversation.ts';

/** The text of a row about boards; undefined for other rows. */
export function projectSentence({ visit: { view }, rows, projects }: WholeConversation, { id, type }: ShownEvent) {
  const row = rows.get(id);
  if (!row || (type !== 'project' && type !== 'project_board')) return undefined;
  const { projects: text } = view.text;
  const link = (projectId: number | null) => {
    const project = projects.get(projectId ?? 0);
    if (!project) return html`<span class="muted">${text.hidden}</span>`;
    return html`<a class="issue-title" href="${projectsPath(view, project.owner, project.id)}">${project.title}</a>`;
  };
  const { old_project_id: before, project_id: after } = row;
  // The name of a column reveals something of its board.
  if (type === 'project_board') {
    const column = projects.has(after ?? 0) ? row.project_column : '';
    return text.movedTo(html`<strong>${column || text.anotherColumn}</strong>`, link(after));
  }
  if (before && after) return text.changed(link(before), link(after));
  return before ? text.removed(link(before)) : text.added(link(after));
}
