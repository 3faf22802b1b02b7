import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the forms of releases and tags. */
export const release = {
  newRelease: 'New release',
  editRelease: 'Edit release',
  deleteRelease: 'Delete release',
  deleteHint: 'Its notes and files are deleted for good. The tag stays.',
  deleteTag: 'Delete tag',
  actionsOf: (name: string) => `What can be done with ${name}`,
  tag: 'Tag',
  tagHint: 'An existing tag, or a new one, which is made when the release is published.',
  tagExists: (name: string) => `There is a tag ${name} already.`,
  target: 'Branch or commit of a new tag',
  title: 'Title',
  notes: 'Notes',
  previousTag: 'Notes since',
  latestBefore: 'The release before this one',
  generateNotes: 'Generate notes',
  generateHint: 'Lists the pull requests that were merged since then, and who made them, under what is written below.',
  tagMessage: 'Use title and notes as the message of a new tag',
  isPrerelease: 'This is a pre-release',
  prereleaseHint: 'It is not ready for everybody, and never shown as the latest.',
  publish: 'Publish release',
  saveDraft: 'Save draft',
  tagOnly: 'Create tag only',
  files: 'Files',
  addFiles: 'Add files',
  filesHint: (files: number, size: string) => `At most ${count(files, 'file', 'files')} at one time, of ${size} each.`,
  nameOf: (name: string) => `Name of ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
};
