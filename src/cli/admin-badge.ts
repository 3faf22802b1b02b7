import { deleteBadge, listBadges, saveBadge } from '../accounts/badges/badges.ts';
import { task, UsageError } from './task.ts';
import { words } from './words.ts';

const save = task(
  'copse admin badge save',
  'Makes a badge, or changes the one of this slug.',
  {
    slug: { type: 'string', required: true, meaning: 'Word by which it is named.' },
    description: { type: 'string', meaning: 'What it is given for.' },
    'image-url': { type: 'string', meaning: 'Where its picture is.' },
  },
  async (context, values) => {
    await saveBadge(context, { slug: values.slug, description: values.description ?? '', image_url: values['image-url'] ?? '' });
    return `saved the badge ${values.slug}`;
  },
);

const list = task('copse admin badge list', 'Lists badges, one in each line: slug, description.', {}, async (context) =>
  (await listBadges(context)).map(({ slug, description }) => `${slug}\t${description}`.trimEnd()).join('\n'),
);

const remove = task(
  'copse admin badge delete',
  'Removes a badge, also from everybody who has it.',
  { slug: { type: 'string', required: true, meaning: 'Word by which it is named.' } },
  async (context, { slug }) => {
    if (!(await deleteBadge(context, slug))) throw new UsageError(`there is no badge ${slug}`);
    return `deleted the badge ${slug}`;
  },
);

/** `copse admin badge`. */
export const badge = words('copse admin badge', 'Makes the badges that administrators give to users.', { save, list, delete: remove });
