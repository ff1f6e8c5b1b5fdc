/** JavaScript, TypeScript and their JSX forms. */
import type { Language } from './language.ts';

const functions = ['arrow_function', 'function_expression', 'generator_function'];

const javascript: Language = {
  grammar: 'javascript',
  family: 'ecmascript',
  defining: {
    function_declaration: { kind: 'function' },
    generator_function_declaration: { kind: 'function' },
    class_declaration: { kind: 'class', holds: true },
    method_definition: { kind: 'method' },
    field_definition: { kind: 'method', name: ['property'], value: 'value', only: functions },
    variable_declarator: { kind: 'constant', value: 'value' },
    // CommonJS and prototypes: `exports.name = function ...`.
    assignment_expression: {
      kind: 'function',
      name: ['left', 'property'],
      value: 'right',
      only: [...functions, 'class'],
    },
  },
  through: [
    'program',
    'export_statement',
    'class_body',
    'lexical_declaration',
    'variable_declaration',
    'expression_statement',
  ],
  lexis: 'ecmascript',
  shown: /^(?:export|declare)\b|^(?:module\.)?exports\b|\.prototype\b/,
};

const typescript: Language = {
  ...javascript,
  grammar: 'typescript',
  defining: {
    ...javascript.defining,
    function_signature: { kind: 'function' },
    abstract_class_declaration: { kind: 'class', holds: true },
    abstract_method_signature: { kind: 'method' },
    public_field_definition: { kind: 'method', value: 'value', only: functions },
    interface_declaration: { kind: 'interface' },
    type_alias_declaration: { kind: 'type', value: 'value' },
    enum_declaration: { kind: 'enum' },
    internal_module: { kind: 'module', holds: true },
    module: { kind: 'module', holds: true },
  },
  through: [...javascript.through, 'ambient_declaration', 'statement_block'],
};

export const ecmascript = { javascript, typescript, tsx: { ...typescript, grammar: 'tsx' } };
