/** Languages that are compiled to machine code. */
import type { Language } from './language.ts';

const declared = ['declarator', 'name'];

const cpp: Language = {
  grammar: 'cpp',
  family: 'c',
  defining: {
    function_definition: { kind: 'function', name: declared },
    declaration: { kind: 'function', name: declared, only: ['function_declarator'] },
    field_declaration: { kind: 'method', name: declared, only: ['function_declarator'] },
    class_specifier: { kind: 'class', only: ['field_declaration_list'], holds: true },
    struct_specifier: { kind: 'class', only: ['field_declaration_list'], holds: true },
    union_specifier: { kind: 'class', only: ['field_declaration_list'], holds: true },
    enum_specifier: { kind: 'enum', only: ['enumerator_list'] },
    type_definition: { kind: 'type', name: declared },
    alias_declaration: { kind: 'type', value: 'type' },
    namespace_definition: { kind: 'module', holds: true },
    concept_definition: { kind: 'type' },
    preproc_def: { kind: 'macro', value: 'value' },
    preproc_function_def: { kind: 'macro', value: 'value' },
  },
  through: [
    'translation_unit',
    'declaration_list',
    'field_declaration_list',
    'linkage_specification',
    'template_declaration',
    'preproc_if',
    'preproc_ifdef',
    'preproc_else',
    'preproc_elif',
  ],
  lexis: 'slashes',
  hidden: /^static\b/,
};

const go: Language = {
  grammar: 'go',
  family: 'go',
  defining: {
    function_declaration: { kind: 'function' },
    method_declaration: { kind: 'method' },
    type_spec: { kind: 'type' },
    type_alias: { kind: 'type' },
    const_spec: { kind: 'constant', value: 'value' },
    var_spec: { kind: 'constant', value: 'value' },
  },
  through: ['source_file', 'type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list'],
  lexis: 'slashes',
};

const rust: Language = {
  grammar: 'rust',
  family: 'rust',
  defining: {
    function_item: { kind: 'function' },
    function_signature_item: { kind: 'function' },
    struct_item: { kind: 'class' },
    union_item: { kind: 'class' },
    enum_item: { kind: 'enum' },
    trait_item: { kind: 'interface', holds: true },
    impl_item: { kind: 'block', name: ['type'], holds: true },
    type_item: { kind: 'type', value: 'type' },
    const_item: { kind: 'constant', value: 'value' },
    static_item: { kind: 'constant', value: 'value' },
    mod_item: { kind: 'module', holds: true },
    macro_definition: { kind: 'macro' },
  },
  through: ['source_file', 'declaration_list'],
  lexis: 'rust',
};

export const systems = { cpp, go, rust };
