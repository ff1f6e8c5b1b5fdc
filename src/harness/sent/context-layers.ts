/** The joint between a wire and the layers of a request: what the wire really encodes, taken apart to the last byte. */
import type { Message, SetupData, Target } from '../../core/index.ts';
import type { Encoded, LeftOut, Order, Wire } from '../../model/index.ts';
import {
  layersOf,
  PieceReader,
  shareOut,
  weightOf,
  type Piece,
  type PieceKind,
  type SentLayer,
} from '../../observe/index.ts';

/** `frame`: what stands around the others (keys, brackets, cache marks, settings), in no layer of its own. */
export type ContextKind =
  | Exclude<PieceKind, 'system'>
  | 'static-prompt'
  | 'standing-context'
  | 'instructions'
  | 'memory'
  | 'style'
  | 'appended'
  | 'repository'
  | 'map'
  | `prompt-${number}`
  | 'frame';

export type ContextLayer = SentLayer<ContextKind>;

export interface RequestLayers {
  /** In the order in which they are sent; their bytes and tokens add up to the whole request. */
  layers: ContextLayer[];
  /** Bytes of the body. */
  bytes: number;
  leftOut: LeftOut[];
}

export interface LayeredOrder {
  setup: Pick<SetupData, 'system' | 'layers' | 'tools'>;
  target: Target;
  messages: readonly Message[];
  maxOutput: number;
  image(blob: string): string | undefined;
  cacheKey: string;
}

type ContextPiece = Omit<Piece, 'kind'> & { kind: ContextKind };

/** The layers of the system prompt by their names in the setup; older logs have the first two and no names. */
const promptKinds: { readonly [name: string]: ContextKind } = {
  static: 'static-prompt',
  standing: 'standing-context',
  style: 'style',
  instructions: 'instructions',
  memory: 'memory',
  appended: 'appended',
  repository: 'repository',
  map: 'map',
};
const unnamed = ['static', 'standing'];
/** Of all but tools, so many pieces are named. */
const mostNamed = 5;

/** Encodes the order and shares so many tokens out among its layers, by what each weighs. */
export function requestLayers(wire: Wire, order: LayeredOrder, tokens: number): RequestLayers {
  const encoded = wire.encode(order);
  const pieces = [...toolPieces(wire, order), ...promptPieces(wire, order), ...messagePieces(encoded)];
  const known = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  const frame = Math.max(0, encoded.body.length - known);
  const shares = shareOut(tokens, pieces.map(weightOf));
  const counted = pieces.map((piece, at) => ({ ...piece, tokens: shares[at] ?? 0 }));
  const around = { kind: 'frame' as const, name: 'frame', bytes: frame, tokens: 0, count: 0 as const };
  return {
    layers: layersOf([...counted, around], (kind) => (kind === 'tools' ? Infinity : mostNamed)),
    bytes: encoded.body.length,
    leftOut: encoded.leftOut,
  };
}

/**
 * Each tool takes the bytes that the list is shorter without it: so it holds for every way of writing them. They are told by what
 * each takes in a list of its own, less what a list takes by itself; so many tools are counted as quickly as few.
 */
function toolPieces(wire: Wire, order: LayeredOrder): ContextPiece[] {
  const { tools } = order.setup;
  const sizeOf = (list: SetupData['tools']): number => {
    const { start, end } = wire.encode(standing(order, { tools: list, system: [] })).sections.tools;
    return end - start;
  };
  const all = sizeOf(tools);
  // Of two tools of one name the second is not offered.
  const first = [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
  const alone = first.map((tool) => ({ name: tool.name, bytes: sizeOf([tool]) })).filter(({ bytes }) => bytes > 0);
  const together = alone.reduce((sum, { bytes }) => sum + bytes, 0);
  const shared = alone.length < 2 ? 0 : Math.ceil((together - all) / (alone.length - 1));
  return alone.map(({ name, bytes }) => ({ kind: 'tools', name, bytes: bytes - shared, count: 1 }));
}

function promptPieces(wire: Wire, order: LayeredOrder): ContextPiece[] {
  const { system, layers = unnamed } = order.setup;
  const sizeOf = (layers: string[]): number => {
    const { start, end } = wire.encode(standing(order, { tools: [], system: layers })).sections.system;
    return end - start;
  };
  const all = sizeOf(system);
  return system.flatMap((layer, at): ContextPiece[] => {
    const bytes = all - sizeOf(system.toSpliced(at, 1));
    const kind = promptKinds[layers[at] ?? ''] ?? (`prompt-${at + 1}` as const);
    return bytes <= 0 ? [] : [{ kind, name: layer.slice(0, 120), bytes, count: 1 }];
  });
}

function standing(order: LayeredOrder, setup: LayeredOrder['setup']): Order {
  return { ...order, setup, messages: [] };
}

function messagePieces({ canonical }: Encoded): ContextPiece[] {
  const reader = new PieceReader();
  return canonical.blocks.flatMap(({ role, bytes }) => {
    return reader.read({ of: 'messages', role, text: bytes.toString() }) as ContextPiece[];
  });
}
