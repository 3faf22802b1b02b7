import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the rules by which old versions of packages are deleted. */
export const packageRules = {
  title: 'Cleanup rules',
  hint: 'A rule deletes old versions of the packages of one type, once a day.',
  none: 'There are no cleanup rules.',
  add: 'Add a cleanup rule',
  edit: 'Cleanup rule',
  allRules: 'All cleanup rules',
  on: 'on',
  off: 'off',
  preview: 'Preview',
  type: 'Type of the packages',
  enabled: 'Apply this rule',
  fullName: 'Patterns are matched with name/version, not with the version alone',
  keep: 'Versions that stay',
  keepCount: 'Newest versions of each package',
  keepCountHint: 'So many stay in any case. Empty for none.',
  keepPattern: 'Versions that match',
  patternHint: 'A regular expression for the whole version, such as v1\\..+',
  remove: 'Of the others, versions that go',
  removeDays: 'Older than so many days',
  removeDaysHint: 'Empty for all.',
  removePattern: 'Versions that match',
  removePatternHint: 'A regular expression for the whole version. Empty for all.',
  removeRule: 'Delete this rule',
  keeps: (number: number) => `keeps ${count(number, 'version', 'versions')} of each package`,
  keepsMatching: (pattern: string) => `keeps ${pattern}`,
  removesOlder: (days: number) => `deletes after ${count(days, 'day', 'days')}`,
  removesMatching: (pattern: string) => `deletes ${pattern}`,
  backToRule: (type: string) => `The rule for ${type}`,
  previewTitle: 'What the rule deletes',
  previewHint: (number: number) => `Applied now, it deletes ${count(number, 'version', 'versions')}.`,
  previewOff: 'It is off, so they stay.',
  previewNone: 'No version would go.',
};
