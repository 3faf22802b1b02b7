import assert from 'node:assert/strict';
import type { Browser } from '../../support/browser.ts';

/** Sends a form with the token of a page that everybody has. */
export async function send(who: Browser, path: string, fields: Record<string, string>) {
  const token = /name="_token" value="([^"]+)"/.exec((await who.get('/user/settings')).text)?.[1] ?? '';
  return who.send('POST', path, { fields: { ...fields, _token: token } });
}

/** Makes a board of a place, such as `/alice/forge` or `/acme/-`; returns its path. */
export async function newBoard(who: Browser, place: string, fields: Record<string, string> = {}): Promise<string> {
  const { status, location, text } = await send(who, `${place}/projects/new`, { title: 'Board', template_type: 'basic_kanban', ...fields });
  assert.equal(status, 303, text);
  return location;
}

/** The columns of a board as somebody sees it: their titles with the titles of their cards. */
export async function readBoard(who: Browser, board: string): Promise<Record<string, string[]>> {
  const { text } = await who.get(board);
  const columns = text.split('<section class="board-column"').slice(1);
  return Object.fromEntries(
    columns.map((column) => [
      /<h3>[\s\S]*?<span>(.*?)<\/span>/.exec(column)?.[1] ?? '',
      [...column.matchAll(/class="issue-title grow"[^>]*>(.*?)<\/a>/g)].map(([, title = '']) => title),
    ]),
  );
}

/** The ids of the columns of a board. */
export async function columnIds(who: Browser, board: string): Promise<string[]> {
  return [...(await who.get(board)).text.matchAll(/data-column="(\d+)"/g)].map(([, id = '']) => id);
}

/** The id in the path of a board. */
export const idOf = (board: string): string => board.split('/').at(-1) ?? '';

/** Puts an issue on a board. @param issue its path */
export const put = (who: Browser, issue: string, board: string) => send(who, issue, { do: 'project', project: idOf(board) });
