import { filesBelow } from '../git/folder-entries.ts';

/** The total size of all files in a folder; files that vanish meanwhile count as empty, and so does a missing folder. */
export async function folderSize(folder: string): Promise<number> {
  return (await filesBelow(folder)).reduce((sum, { size }) => sum + size, 0);
}
