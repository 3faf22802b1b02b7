import { type AnyRoute, route } from '../../http/route.ts';
import { GeneralAPISettings, GeneralAttachmentSettings, GeneralRepoSettings, GeneralUISettings } from './schema.ts';

const MIB = 1024 * 1024;

/** The instance's settings that clients may read. */
export const settingsRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/settings/ui',
    id: 'getGeneralUISettings',
    summary: 'Gets the settings of the web pages',
    tag: 'settings',
    responses: { 200: GeneralUISettings },
    handle: async (_, { settings: { ui } }) => ({
      default_theme: ui.defaultTheme,
      allowed_reactions: [...ui.reactions],
      custom_emojis: [...ui.customEmojis],
    }),
  }),
  route({
    method: 'GET',
    path: '/settings/api',
    id: 'getGeneralAPISettings',
    summary: 'Gets the limits of the API',
    tag: 'settings',
    responses: { 200: GeneralAPISettings },
    handle: async (_, { settings: { api } }) => ({
      max_response_items: api.maxPageSize,
      default_paging_num: api.defaultPageSize,
      default_git_trees_per_page: api.treesPageSize,
      default_max_blob_size: api.maxBlobSize,
      default_max_response_size: api.maxResponseSize,
    }),
  }),
  route({
    method: 'GET',
    path: '/settings/attachment',
    id: 'getGeneralAttachmentSettings',
    summary: 'Gets the settings of attachments',
    tag: 'settings',
    responses: { 200: GeneralAttachmentSettings },
    handle: async (_, { settings: { attachments } }) => ({
      enabled: attachments.enabled,
      allowed_types: attachments.allowedTypes.join(','),
      max_size: Math.floor(attachments.maxSize / MIB),
      max_files: attachments.maxFiles,
    }),
  }),
  route({
    method: 'GET',
    path: '/settings/repository',
    id: 'getGeneralRepositorySettings',
    summary: 'Gets the settings of repositories',
    tag: 'settings',
    responses: { 200: GeneralRepoSettings },
    handle: async (_, { settings }) => ({
      mirrors_disabled: !settings.mirrors.enabled,
      http_git_disabled: !settings.repository.httpGitEnabled,
      migrations_disabled: !settings.migrations.enabled,
      stars_disabled: !settings.repository.starsEnabled,
      time_tracking_disabled: !settings.issues.timeTrackingEnabled,
      lfs_disabled: !settings.lfs.enabled,
    }),
  }),
];
