import { define, int64, string } from '../../http/schema.ts';

/** A badge that administrators give to users. */
export const Badge = define('Badge', {
  id: int64({ description: 'The id of the badge.' }),
  slug: string({ description: 'The word by which the badge is named.' }),
  description: string({ description: 'What it is given for.' }),
  image_url: string({ goName: 'ImageURL', description: 'Where its picture is.' }),
});
