import { trimEnd } from '../../text/trim-end.ts';
import type { ChatCommit, ChatPayload } from './payload.ts';

/** The digits by which people know a commit. */
export function shortId({ id }: ChatCommit): string {
  return id.slice(0, 7);
}

/** The message without the line ends at its end. */
export function wholeMessage({ message }: ChatCommit): string {
  return trimEnd(message, '\r\n');
}

/** The first line of the message. */
export function firstLine({ message }: ChatCommit): string {
  return message.split(/\r?\n/, 1)[0] ?? '';
}

/** `[1a2b3c4](URL) message - author` for each commit of a push. */
export function commitLines({ commits = [] }: ChatPayload, message: (commit: ChatCommit) => string = wholeMessage): string[] {
  return commits.map((commit) => {
    const author = commit.author ? ` - ${commit.author.name}` : '';
    return `[${shortId(commit)}](${commit.url}) ${message(commit)}${author}`;
  });
}
