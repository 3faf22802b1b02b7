import type { ProjectColumnRow } from '../../database/tables/projects.ts';
import { MAX_COLUMN_TITLE } from '../../projects/columns.ts';
import { actionButton, checkBox, field, postForm } from '../components/form.ts';
import { number } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { labelDot } from '../issues/label.ts';
import { icon, type View } from '../view.ts';

/** The data of a column. */
export interface ColumnOptions {
  /** The path of changes; undefined for users who may not make them. */
  readonly changeAt: string | undefined;
  readonly columns: readonly ProjectColumnRow[];
  readonly total: number;
  readonly cards: readonly Html[];
  /** The link to the cards that are not shown. */
  readonly more: Html | false;
}

/** A column of a board with its cards. */
export function columnView(view: View, column: ProjectColumnRow, { changeAt, columns, total, cards, more }: ColumnOptions): Html {
  const { projects: text } = view.text;
  const { id, title, color } = column;
  return html`<section class="board-column" data-column="${id}" aria-label="${title}"><header class="board-head">
<h3>${color !== '' && labelDot(color.slice(1))} <span>${title}</span></h3>
<span class="count" data-total="${total}" data-shown="${cards.length}" aria-label="${text.cards(total)}">${number(view, total)}</span>
${column.is_default && html`<span class="muted" title="${text.defaultColumn}">${icon(view, 'inbox', text.defaultColumn)}</span>`}
${changeAt !== undefined && columnMenu(view, column, columns, changeAt)}</header>
<ul class="board-cards">${cards}</ul>
<p class="muted board-empty"${cards.length > 0 && html` hidden`}>${text.emptyColumn}</p>${more}</section>`;
}

function columnMenu(view: View, column: ProjectColumnRow, columns: readonly ProjectColumnRow[], action: string): Html {
  const { projects: text, common } = view.text;
  const { id, title, color } = column;
  const at = columns.findIndex((other) => other.id === id);
  const target = columns.find(({ is_default: isDefault }) => isDefault) ?? columns[0];
  const button = (what: string, label: string, fields = {}, className = 'link') =>
    html`<li>${actionButton(view, { action, label, fields: { do: what, column: id, ...fields }, className })}</li>`;
  return html`<details class="menu push"><summary aria-label="${text.columnMenu(title)}" title="${text.columnMenu(title)}">${icon(view, 'kebab-horizontal')}</summary><ul>
<li>${postForm(view, html`<input type="hidden" name="do" value="edit-column"><input type="hidden" name="column" value="${id}">${columnFields(view, String(id), { title, color })}<button>${common.save}</button>`, { action, className: 'card-form' })}</li>
${!column.is_default && button('default-column', text.makeDefault)}
${at > 0 && button('move-column', text.moveLeft, { position: at - 1 })}
${at < columns.length - 1 && button('move-column', text.moveRight, { position: at + 1 })}
${target && target.id !== id && html`<li class="menu-text">${text.deleteColumnHint(target.title)}</li>${button('delete-column', text.deleteColumn, {}, 'danger')}`}</ul></details>`;
}

function columnFields(view: View, key: string, { title, color }: Pick<ProjectColumnRow, 'title' | 'color'>): Html {
  const { projects: text } = view.text;
  return html`${field({ name: 'title', id: `t-${key}`, label: text.columnTitle, value: title, isRequired: true, maxLength: MAX_COLUMN_TITLE })}
<div class="row">${checkBox({ name: 'colored', label: text.withColor, isChecked: color !== '' })}
<input class="color" type="color" name="color" value="${color || '#808080'}" aria-label="${text.color}"></div>`;
}

/** The form of a new column. */
export function newColumn(view: View, action: string): Html {
  const { projects: text } = view.text;
  return html`<details class="menu"><summary class="button">${icon(view, 'plus')} ${text.addColumn}</summary><ul><li>
${postForm(view, html`<input type="hidden" name="do" value="add-column">${columnFields(view, 'new', { title: '', color: '' })}<button>${text.addColumn}</button>`, { action, className: 'card-form' })}</li></ul></details>`;
}
