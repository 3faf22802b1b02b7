import type { Context } from '../../context.ts';
import type { RemoteCredentials, RemoteUrl } from '../../http/outgoing/remote-url.ts';
import type { Settings } from '../../settings.ts';

/** What a source is made from. */
export interface SourceOptions {
  readonly settings: Pick<Settings, 'outgoing' | 'migrations'>;
  readonly workers: Context['workers'];
  /** What the user gave as the URL of the project. */
  readonly url: RemoteUrl;
  /** A name and password, or what stands for them with a token. */
  readonly credentials: RemoteCredentials | undefined;
  /** Empty for none. */
  readonly token: string;
  /** The key of an AWS account, for CodeCommit. */
  readonly awsKey: { readonly id: string; readonly secret: string };
  /** Whether issues are brought over too: where pull requests have numbers of their own, they come after those of the issues then. */
  readonly withIssues: boolean;
  readonly signal: AbortSignal;
  /** Called when the source limits its requests. */
  readonly onWait: (until: Date) => void;
}
