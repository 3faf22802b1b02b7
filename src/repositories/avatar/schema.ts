import { defineOption, string } from '../../http/schema.ts';

export const UpdateRepoAvatarOption = defineOption(
  'UpdateRepoAvatarOption',
  { image: string({ unbounded: true, description: 'a PNG, JPEG, GIF or WebP in base64' }) },
  { required: ['image'], described: [], description: 'A new picture of a repository.' },
);
