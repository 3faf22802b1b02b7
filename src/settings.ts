export { REPOSITORY_UNITS } from './settings/groups/repositories.ts';
export { contradictions, loadSettings, SETTINGS_FILE_VARIABLE, SettingsError, type SettingsSource } from './settings/load.ts';
export { ALL_SETTINGS, SETTINGS_TABLE, type SettingRow, type Settings } from './settings/table.ts';
export { printableSettings, withListeningPort } from './settings/views.ts';
