import type { ChangedFile } from '../../../git/diff/changes.ts';
import type { Html } from '../../html.ts';
import type { ShownFile } from './diff-task.ts';
import type { MarkedLines } from './line-field.ts';

/** Whether the two sides are shown below or next to each other. */
export type DiffStyle = 'unified' | 'split';

/** A line that can be commented on: its number on one side. */
export interface DiffPosition {
  readonly side: 'old' | 'new';
  readonly line: number;
}

/** The parts that a page adds to a file of a diff. */
export interface FileExtras {
  /** Class of its section, for example for a viewed file. */
  readonly className?: string | undefined;
  /** At the end of the file's header, such as the "viewed" box. */
  readonly header?: Html | undefined;
  /** Below the header, above the lines, such as comments on the file or on lines that are not shown. */
  readonly above?: Html | undefined;
}

/**
 * The additions of a page to a diff. A page of a pull request, for example:
 * ```ts
 * const diff = await openDiff(context, source, diffQuery(visit.fields), ({ path }) => viewed.has(path));
 * body: diffView(view, context, diff, {
 *   style: await diffStyle(visit, context),
 *   fileExtras: ({ path }) => ({ header: viewedBox(path) }),
 *   lineExtras: ({ path }, { side, line }) => commentsOf(path, side, line),
 *   lineAction: ({ path }, { side, line }) => html`<button name="at" value="${path}:${side}:${line}">+</button>`,
 * }), scripts: ['diff.js'], layout: 'wide'
 * ```
 * The functions are called once for each shown line or file, in order; they look up data that was read before, and return
 * undefined if there is none. A line of both sides is requested for each side, the old one first. Collapsed files (large,
 * generated, or chosen by the third argument of `openDiff`) only show their header and extras; `?file=path` of the same page
 * shows one of them. A script puts such a page's section into this one, so that both must have the same extras.
 */
export interface DiffOptions {
  readonly style: DiffStyle;
  /** @param shown its lines; undefined if it is folded or has none */
  readonly fileExtras?: (file: ChangedFile, shown: ShownFile | undefined) => FileExtras | undefined;
  /** Below a line in full width, such as comments. */
  readonly lineExtras?: (file: ChangedFile, place: DiffPosition) => Html | undefined;
  /** Before the code of a line, visible on hover or focus. */
  readonly lineAction?: (file: ChangedFile, place: DiffPosition) => Html | undefined;
  /** Links next to the style and white space in the bar above the files. */
  readonly actions?: Html | undefined;
  /** Whether it shows a change that is not committed yet: no bar, and no links into a commit. */
  readonly isPreview?: boolean;
  /** The lines of the query; `diffView` sets them. */
  readonly marked?: MarkedLines | undefined;
  /** Whether the bar offers the style, by `?style=`. True by default. */
  readonly hasStyle?: boolean;
}
