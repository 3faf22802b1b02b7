import { writeFileSync } from 'node:fs';
import { isDerived, type Setting } from './setting.ts';
import { SETTINGS_TABLE, settingsOfGroup } from './table.ts';

const INTRODUCTION = `# Settings

This page is generated from the table in \`src/settings/\` by \`npm run docs:settings\`.

A setting is given by its environment variable, or in the settings file; the environment wins. The settings file is
the one that \`COPSE_SETTINGS\` names, else \`copse.yaml\` in the data folder where there is one. It is YAML, with a mapping
for each group:

\`\`\`yaml
server:
  rootUrl: https://git.example.com/
  host: 0.0.0.0
repository:
  defaultBranch: trunk
attachments:
  allowedTypes: [.png, .jpg, .pdf]
\`\`\`

An unknown or malformed setting, in the file or as a variable that begins with \`COPSE_\`, stops the start with a message
that names it.

- Durations have a unit: \`500ms\`, \`30s\`, \`10m\`, \`8h\`, \`7d\`, \`1h30m\`. Sizes too: \`512KiB\`, \`4MiB\`, \`2GiB\`; without one they are bytes.
- Lists are separated by commas; in the settings file they may be YAML lists.
- An empty value takes away a setting that may be empty; for any other it is an error.
- Secrets are never written to the log. Each may be given as a file instead, by its variable with \`_FILE\` after it,
  such as \`COPSE_MAIL_PASSWORD_FILE=/run/secrets/mail\`.
`;

/** The text of docs/settings.md. */
export function settingsDocument(): string {
  const sections = Object.entries(SETTINGS_TABLE).map(([groupName, group]) => {
    const rows = settingsOfGroup(groupName, group).map(({ name, variable, setting }) => {
      const kind = setting.secret ? `${setting.kind.name}; secret` : setting.kind.name;
      return `| \`${name}\`<br>\`${variable}\` | ${defaultText(setting)} | ${cell(setting.meaning)} | ${cell(kind)} |`;
    });
    return [
      `## ${group.title}`,
      '',
      group.meaning,
      '',
      '| setting | default | meaning | value |',
      '| --- | --- | --- | --- |',
      ...rows,
      '',
    ].join('\n');
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function defaultText({ default: fallback }: Setting): string {
  if (isDerived(fallback)) return cell(fallback.from);
  const text = typeof fallback === 'string' ? fallback : fallback.join(', ');
  return text === '' ? '' : `\`${text}\``;
}

/** A bare `*` or `|` would be read as Markdown. */
function cell(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[*|<>]/g, '\\$&')))
    .join('');
}

if (import.meta.main) writeFileSync(new URL('../../docs/settings.md', import.meta.url), settingsDocument());
