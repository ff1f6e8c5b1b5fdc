/** Languages of the large virtual machines. */
import type { Language } from './language.ts';

const java: Language = {
  grammar: 'java',
  family: 'java',
  defining: {
    class_declaration: { kind: 'class', holds: true },
    record_declaration: { kind: 'class', holds: true },
    interface_declaration: { kind: 'interface', holds: true },
    annotation_type_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum', holds: true },
    method_declaration: { kind: 'method' },
    constructor_declaration: { kind: 'method' },
  },
  through: ['program', 'class_body', 'interface_body', 'enum_body', 'enum_body_declarations'],
  lexis: 'slashes',
  hidden: /\bprivate\b/,
};

const csharp: Language = {
  grammar: 'c-sharp',
  family: 'csharp',
  defining: {
    namespace_declaration: { kind: 'module', holds: true },
    file_scoped_namespace_declaration: { kind: 'module', holds: true },
    class_declaration: { kind: 'class', holds: true },
    struct_declaration: { kind: 'class', holds: true },
    record_declaration: { kind: 'class', holds: true },
    interface_declaration: { kind: 'interface', holds: true },
    enum_declaration: { kind: 'enum' },
    delegate_declaration: { kind: 'type' },
    method_declaration: { kind: 'method' },
    constructor_declaration: { kind: 'method' },
    property_declaration: { kind: 'constant', value: 'accessors' },
    local_function_statement: { kind: 'function' },
  },
  through: ['compilation_unit', 'declaration_list', 'global_statement'],
  lexis: 'slashes',
  hidden: /\bprivate\b/,
};

export const managed = { java, csharp };
