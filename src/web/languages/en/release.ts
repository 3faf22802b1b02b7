import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the forms of releases and tags. */
export const release = {
  newRelease: 'New release',
  editRelease: 'Edit release',
  deleteRelease: 'Delete release',
  deleteHint: 'Its notes and files are permanently deleted. The tag is kept.',
  deleteTag: 'Delete tag',
  actionsOf: (name: string) => `Actions for ${name}`,
  tag: 'Tag',
  tagHint: 'An existing tag, or a new one, which is created when the release is published.',
  tagExists: (name: string) => `A tag named ${name} already exists.`,
  target: 'Branch or commit of a new tag',
  title: 'Title',
  notes: 'Notes',
  previousTag: 'Notes since',
  latestBefore: 'The release before this one',
  generateNotes: 'Generate notes',
  generateHint: 'Appends the pull requests that were merged since then, with their authors, to the text below.',
  tagMessage: 'Use title and notes as the message of a new tag',
  isPrerelease: 'This is a pre-release',
  prereleaseHint: 'Marked as not ready for production, and never shown as the latest.',
  publish: 'Publish release',
  saveDraft: 'Save draft',
  tagOnly: 'Create tag only',
  files: 'Files',
  addFiles: 'Add files',
  filesHint: (files: number, size: string) => `At most ${count(files, 'file', 'files')} at one time, of ${size} each.`,
  nameOf: (name: string) => `Name of ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
};
