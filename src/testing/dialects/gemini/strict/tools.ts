/** Checks the tools: their fields, and the declared functions with the schemas of their parameters. */
import type { JsonObject } from '../../../../core/index.ts';
import { asList, asText, isObject, requestOf } from '../shape.ts';
import { unknownFields, type Findings } from './findings.ts';
import { checkDialectParameters, checkJsonSchemaParameters } from './schema-dialect.ts';

/** Fields of a tool, from what the official SDK 3.3 sends to this API; all but the declarations are the provider's own tools. */
const toolFields = [
  'functionDeclarations',
  'googleSearch',
  'googleSearchRetrieval',
  'googleMaps',
  'urlContext',
  'fileSearch',
  'codeExecution',
  'computerUse',
  'mcpServers',
];

const declarationFields = [
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
  'behavior',
];

const functionName = /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/;

export function* checkTools(body: JsonObject): Findings {
  const { tools } = requestOf(body);
  if (tools !== undefined && !Array.isArray(tools)) {
    yield { rule: 'tools', message: "Invalid value at 'tools': a list is expected." };
  }
  const names = new Set<string>();
  for (const [index, tool] of asList(tools).entries()) {
    const where = `tools[${index}]`;
    if (!isObject(tool) || Object.keys(tool).length === 0) {
      const message = `* GenerateContentRequest.${where}.tool_type: required one_of 'tool_type' must have one initialized field`;
      yield { rule: 'tools', message };
      continue;
    }
    yield* unknownFields(tool, toolFields, where);
    const { functionDeclarations: declarations } = tool;
    if (declarations !== undefined && !Array.isArray(declarations)) {
      yield { rule: 'tools', message: `Invalid value at '${where}.function_declarations': a list is expected.` };
    }
    for (const [place, declaration] of asList(declarations).entries()) {
      const inner = `${where}.function_declarations[${place}]`;
      if (isObject(declaration)) yield* checkDeclaration(declaration, inner, names);
      else yield { rule: 'tools', message: `Invalid value at '${inner}': an object is expected.` };
    }
  }
}

function* checkDeclaration(declaration: JsonObject, where: string, names: Set<string>): Findings {
  yield* unknownFields(declaration, declarationFields, where);
  const name = asText(declaration['name']);
  if (!functionName.test(name)) {
    const message = `* GenerateContentRequest.${where}.name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.`;
    yield { rule: 'tools', message };
  }
  if (names.has(name)) yield { rule: 'tools', message: `Duplicate function declaration found: ${name}` };
  names.add(name);
  const { description, parameters, parametersJsonSchema: schema } = declaration;
  if (description !== undefined && typeof description !== 'string') {
    yield { rule: 'tools', message: `Invalid value at '${where}.description' (TYPE_STRING)` };
  }
  if (parameters !== undefined && schema !== undefined) {
    const message = `* GenerateContentRequest.${where}: only one of parameters and parameters_json_schema can be set`;
    yield { rule: 'tools', message };
  }
  if (parameters !== undefined) yield* checkDialectParameters(parameters, `${where}.parameters`);
  if (schema !== undefined) yield* checkJsonSchemaParameters(schema, `${where}.parameters_json_schema`);
}
