import { PACKAGE_TYPES } from '../../database/tables/package-types.ts';
import { boolean, define, defineOption, int64, integer, oneOf, string, timestamp } from '../../http/schema.ts';

const MAX_COUNT = 10_000;
const MAX_DAYS = 36_500;
const MAX_PATTERN = 255;

const fields = {
  enabled: boolean({ description: 'Whether the rule is applied.' }),
  keep_count: integer({ description: 'So many of the newest versions of each package stay.', minimum: 0, maximum: MAX_COUNT }),
  keep_pattern: string({ description: 'An expression; versions that match it as a whole stay.', maxLength: MAX_PATTERN }),
  remove_days: integer({ description: 'Versions younger than so many days stay.', minimum: 0, maximum: MAX_DAYS }),
  remove_pattern: string({ description: 'An expression; only versions that match it as a whole go.', maxLength: MAX_PATTERN }),
  match_full_name: boolean({ description: 'The expressions are matched with name/version, not with the version alone.' }),
};

/** A cleanup rule on the wire. */
export const PackageCleanupRule = define(
  'PackageCleanupRule',
  {
    id: int64({ description: 'The id of the rule.' }),
    type: string({ description: 'The type of the packages that it is for.' }),
    ...fields,
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { description: 'Which versions of packages are deleted by themselves.' },
);

/** A new rule; missing fields are off, none or empty. */
export const CreatePackageCleanupRuleOption = defineOption(
  'CreatePackageCleanupRuleOption',
  { type: oneOf(PACKAGE_TYPES, { description: 'The type of the packages that it is for.', rule: 'In' }), ...fields },
  { required: ['type'], description: 'A new cleanup rule.' },
);

/** What to change of a rule; missing fields stay. */
export const EditPackageCleanupRuleOption = defineOption('EditPackageCleanupRuleOption', fields, {
  description: 'What to change of a cleanup rule.',
});
