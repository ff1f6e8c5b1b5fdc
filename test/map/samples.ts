/** A file of each language, and what of it a map shows. */

export const samples: { readonly [path: string]: { text: string; shown: string[] } } = {
  'a.ts': {
    text: `import { a } from './a.ts';
export const limit: number = 3;
export const run = async (x: string, y = "a very long default text"): Promise<void> => { const inner = 1; };
@sealed
export default class Foo<T> extends Bar implements Baz {
  constructor(private readonly a: string) { super(); }
  async step(input: Input): Promise<Output> { function own() {} return this.go(input); }
  handler = (e: Event) => { };
}
export abstract class Abs { abstract foo(): void; }
export interface Shape { area(): number }
export type Mode = 'plan' | 'ask';
declare function ext(a: number): void;
enum Colour { Red }
namespace N { export function inner() {} }
`,
    shown: [
      '2: export const limit: number',
      '3: export const run = async (x: string, y = "..."): Promise<void>',
      '5: export default class Foo<T> extends Bar implements Baz',
      '6:   constructor(private readonly a: string)',
      '7:   async step(input: Input): Promise<Output>',
      '8:   handler = (e: Event)',
      '10: export abstract class Abs',
      '10:   abstract foo(): void',
      '11: export interface Shape',
      '12: export type Mode',
      '13: declare function ext(a: number): void',
      '14: enum Colour',
      '15: namespace N',
      '15:   function inner()',
    ],
  },
  'a.tsx': {
    text: 'export function App({ name }: Props) { return <div>{name}</div>; }\nconst Button: FC<Props> = (p) => <b/>;\n',
    shown: ['1: export function App({ name }: Props)', '2: const Button: FC<Props> = (p)'],
  },
  'a.js': {
    text: `module.exports.start = function (a, b) {};
Foo.prototype.bar = () => 1;
function* gen() {}
class A { static make(
  x,
 ) {} go = () => {} }
var old = function () {};
`,
    shown: [
      '1: module.exports.start = function (a, b)',
      '2: Foo.prototype.bar = ()',
      '3: function* gen()',
      '4: class A',
      '4:   static make(x)',
      '6:   go = ()',
      '7: var old = function ()',
    ],
  },
  'a.py': {
    text: `LIMIT = 3
a, b = 1, 2
@decorated
def top(x: int, y: str = "a very long default text") -> int:
    def inner(): pass
    return x
class Foo(Bar):
    field: int = 3
    @property
    def value(self) -> int:
        return 1
if TYPE_CHECKING:
    def late(): pass
`,
    shown: [
      '1: LIMIT',
      '4: def top(x: int, y: str = "...") -> int',
      '7: class Foo(Bar)',
      '10:   def value(self) -> int',
      '13: def late()',
    ],
  },
  'a.go': {
    text: `package main
const Limit = 3
type Foo struct {
  a int
}
type Bar interface { Go() error }
func (f *Foo) Run(ctx context.Context,
  n int) (int, error) { return 0, nil }
func main() { fmt.Println("x") }
`,
    shown: [
      '2: const Limit',
      '3: type Foo struct',
      '6: type Bar interface { Go() error }',
      '7: func (f *Foo) Run(ctx context.Context, n int) (int, error)',
      '9: func main()',
    ],
  },
  'a.rs': {
    text: `pub const LIMIT: usize = 3;
#[derive(Debug)]
pub struct Foo<'a> { x: &'a str }
pub trait Go { fn go(&self) -> u8; }
impl<'a> Go for Foo<'a> { fn go(&self) -> u8 { 1 } }
mod inner { pub fn deep() {} }
pub async fn run(x: &str) -> Result<(), Error> { }
`,
    shown: [
      '1: pub const LIMIT: usize',
      "3: pub struct Foo<'a>",
      '4: pub trait Go',
      '4:   fn go(&self) -> u8',
      "5: impl<'a> Go for Foo<'a>",
      '5:   fn go(&self) -> u8',
      '6: mod inner',
      '6:   pub fn deep()',
      '7: pub async fn run(x: &str) -> Result<(), Error>',
    ],
  },
  'A.java': {
    text: `public class A extends B {
  private static final int X = 1;
  @Override
  public String toString() { return "x"; }
  enum Inner { A; void go() {} }
}
record P(int x) { int twice() { return 2; } }
`,
    shown: [
      '1: public class A extends B',
      '4:   public String toString()',
      '5:   enum Inner',
      '5:     void go()',
      '7: record P(int x)',
      '7:   int twice()',
    ],
  },
  'a.c': {
    text: `#define MAX(a,b) ((a)>(b)?(a):(b))
typedef struct { int a; } thing_t;
struct point { int x; };
struct point *global;
enum colour { RED };
static int
add(int a, int b) { return a + b; }
char *text(void);
#ifdef X
void guarded() {}
#endif
`,
    shown: [
      '1: #define MAX(a,b)',
      '2: typedef struct { int a; } thing_t',
      '3: struct point',
      '5: enum colour',
      '7: static int add(int a, int b)',
      '8: char *text(void)',
      '10: void guarded()',
    ],
  },
  'a.cpp': {
    text: `namespace ns {
template <typename T> class Foo : public Bar { public: Foo(); ~Foo(); virtual void f() {} };
int Foo::go(int a) const { return 1; }
}
using Alias = int;
`,
    shown: [
      '1: namespace ns',
      '2:   template <typename T> class Foo : public Bar',
      '2:     Foo()',
      '2:     ~Foo()',
      '2:     virtual void f()',
      '3:   int Foo::go(int a) const',
      '5: using Alias',
    ],
  },
  'a.cs': {
    text: `namespace A.B;
[Serializable]
public class Foo : Bar {
  public int Count { get; set; }
  [Test] public async Task<int> Go(string a) { return 1; }
}
public interface IGo { void Go(); }
delegate void D(int x);
`,
    shown: [
      '1: namespace A.B',
      '3: public class Foo : Bar',
      '4:   public int Count',
      '5:   public async Task<int> Go(string a)',
      '7: public interface IGo',
      '7:   void Go()',
      '8: delegate void D(int x)',
    ],
  },
  'a.rb': {
    text: `LIMIT = 3
module A
  class Foo < Bar
    def initialize(a, b = 1)
      @a = a
    end
    def self.make; end
    def empty?; true; end
  end
end
`,
    shown: [
      '1: LIMIT',
      '2: module A',
      '3:   class Foo < Bar',
      '4:     def initialize(a, b = 1)',
      '7:     def self.make; end',
      '8:     def empty?',
    ],
  },
  'a.php': {
    text: `<?php
function top(int $a): string { return ''; }
class Foo extends Bar { public function go($x) {} }
trait T { function t() {} }
enum E { case A; public function e() {} }
`,
    shown: [
      '2: function top(int $a): string',
      '3: class Foo extends Bar',
      '3:   public function go($x)',
      '4: trait T',
      '4:   function t()',
      '5: enum E',
      '5:   public function e()',
    ],
  },
  'a.sh': {
    text: '#!/bin/bash\nrun() { echo 1; }\nfunction other { local x; }\n',
    shown: ['2: run()', '3: function other'],
  },
};
