/** Servers that close when their test ends. */
import type { TestContext } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import {
  startModelServer,
  type Handler,
  type ModelServer,
  type ModelServerOptions,
  type Scenario,
} from '../../../src/testing/index.ts';

export async function serve(
  test: TestContext,
  source: Scenario | Handler,
  options?: ModelServerOptions,
): Promise<ModelServer> {
  const server = await startModelServer(source, options);
  test.after(() => server.close());
  return server;
}

/** The official client, without retries of its own. */
export const officialClient = (server: ModelServer): Anthropic =>
  new Anthropic({ baseURL: server.url, apiKey: 'test-key', maxRetries: 0 });
