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
  type: 'Package type',
  enabled: 'Apply this rule',
  fullName: 'Match patterns against name/version instead of the version alone',
  keep: 'Versions to keep',
  keepCount: 'Number of newest versions per package',
  keepCountHint: 'This number of versions is always kept. Leave empty for none.',
  keepPattern: 'Versions that match',
  patternHint: 'A regular expression for the whole version, such as v1\\..+',
  remove: 'Versions to remove',
  removeDays: 'Older than (days)',
  removeDaysHint: 'Leave empty for all.',
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
  previewOff: 'The rule is off, so nothing is deleted.',
  previewNone: 'No versions would be deleted.',
};
