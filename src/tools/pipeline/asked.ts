/** Steps 1 and 2: what does a call ask for, and is that fit to be run? A call through `use_tool` is one of the tool that it names. */
import type { FailureKind, JsonObject, OpenCall } from '../../core/index.ts';
import { useTool } from '../deferral/index.ts';
import { isRefusal } from '../outcome.ts';
import type { Registry } from '../registry.ts';
import type { Tool } from '../tool.ts';
import { joined, limitProblem, takeControls, type Controls } from './controls.ts';
import { lookUp } from './look-up.ts';
import { malformedText, misfit, type Validator } from './validate.ts';

export interface Asked {
  tool: Tool;
  /** As the model gave them, without what says how the call is to be run. */
  arguments: JsonObject;
  controls: Controls;
}

/** Why a call can't be run, for the model and for programs, and the tool that it is of as far as it is known. */
export interface Unfit {
  refused: string;
  failed: FailureKind;
  tool: string;
}

export async function askedOf(call: OpenCall, registry: Registry, validator: Validator): Promise<Asked | Unfit> {
  const tool = lookUp(registry, call.name);
  if (isRefusal(tool)) return { ...tool, failed: 'not-found', tool: call.name };
  if (call.malformed !== undefined) {
    return { refused: await malformedText(tool.name, call.malformed), failed: 'schema', tool: tool.name };
  }
  const taken = { tool, ...takeControls(tool, call.arguments) };
  return tool === useTool ? throughUseTool(taken, registry, validator) : taken;
}

async function throughUseTool(outer: Asked, registry: Registry, validator: Validator): Promise<Asked | Unfit> {
  const wrong = await validator.validate(outer.tool, outer.arguments, outer.controls.problems);
  if (wrong !== undefined) return { ...wrong, tool: outer.tool.name };
  const { name, arguments: args } = outer.arguments as { name: string; arguments: JsonObject };
  const tool = lookUp(registry, name);
  if (isRefusal(tool)) return { ...tool, failed: 'not-found', tool: useTool.name };
  if (tool === useTool) {
    return {
      refused: `${useTool.name} calls other tools, not itself. Nothing was run.`,
      failed: 'schema',
      tool: tool.name,
    };
  }
  const inner = takeControls(tool, args);
  return { tool, arguments: inner.arguments, controls: joined(outer.controls, inner.controls) };
}

/** What is wrong with arguments, against the tool's schema and with how the call is to be run; nothing where all fits. */
export async function unfitness(
  { tool, arguments: args, controls }: Asked,
  validator: Validator,
): Promise<Unfit | undefined> {
  const wrong =
    (await validator.validate(tool, args, controls.problems)) ?? misfit(tool, limitProblem(tool, args, controls));
  return wrong && { ...wrong, tool: tool.name };
}
