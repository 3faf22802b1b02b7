import type { AnyRoute } from '../../../http/route.ts';
import { deletePages } from './delete-page.ts';
import { filePages } from './file-page.ts';
import { forkToEditPages } from './frame.ts';
import { patchPages } from './patch-page.ts';
import { pickPages } from './pick-page.ts';
import { uploadPages } from './upload-page.ts';

/** The forms that change code in the browser. */
export const editPages: readonly AnyRoute[] = [
  ...filePages,
  ...deletePages,
  ...uploadPages,
  ...patchPages,
  ...pickPages,
  ...forkToEditPages,
];
