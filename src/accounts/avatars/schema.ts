import { defineOption, string } from '../../http/schema.ts';

/** A new avatar of the caller. */
export const UpdateUserAvatarOption = defineOption(
  'UpdateUserAvatarOption',
  { image: string({ unbounded: true, description: 'A PNG, JPEG, GIF or WebP in base64.' }) },
  { required: ['image'], described: [] },
);
