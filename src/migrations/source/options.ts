import type { Context } from '../../context.ts';
import type { RemoteCredentials, RemoteUrl } from '../../http/outgoing/remote-url.ts';
import type { Settings } from '../../settings.ts';

/** The options of a source. */
export interface SourceOptions {
  readonly settings: Pick<Settings, 'outgoing' | 'migrations'>;
  readonly workers: Context['workers'];
  /** The URL of the project as the user entered it. */
  readonly url: RemoteUrl;
  /** A name and a password, or the equivalent with a token. */
  readonly credentials: RemoteCredentials | undefined;
  /** Empty for none. */
  readonly token: string;
  /** The key of an AWS account, for CodeCommit. */
  readonly awsKey: { readonly id: string; readonly secret: string };
  /** Whether issues are migrated too: if pull requests have numbers of their own, they then come after those of the issues. */
  readonly withIssues: boolean;
  readonly signal: AbortSignal;
  /** Called when the source limits its requests. */
  readonly onWait: (until: Date) => void;
}
