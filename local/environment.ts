import type { DataFolder } from './data-folder.ts';
import type { DemoWorkspace } from './demo-workspace.ts';
import { STACK_FILE } from './process-list.ts';

/** What programs need to call the running stack as its demo workspace, and the command line to find it; as lines for a shell. */
export function environmentOf(apiUrl: string, demo: DemoWorkspace, folder: DataFolder): string[] {
  const { apiKey, apiSecret, wallets } = demo;
  const variables = {
    ...{ BASE_URL: apiUrl, API_KEY: apiKey, API_SECRET: apiSecret },
    ...{ SOURCE: wallets.alice, TARGET: wallets.bob },
    LOCAL_STACK_FILE: folder.file(STACK_FILE),
  };
  return Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`);
}

/** A text as a shell takes it for one word. */
export function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
