/* The hip of the page as src/view/page_hip.h has it, in WebAssembly. Runs in a worker and in tests; needs nothing of a page. */

type Call = (...words: number[]) => number;
interface Exports {
  memory: WebAssembly.Memory;
  malloc: Call;
  free: Call;
  [name: string]: WebAssembly.ExportValue;
}

const NOT_THERE = 52; // of WASI: no such function here
const SEEK = 70; // of WASI: cannot be sought

/** The system that the library asks: no files, no environment, and what is printed goes nowhere. */
function emptySystem(module: WebAssembly.Module, memory: () => DataView): WebAssembly.Imports {
  const known: Record<string, Call> = {
    fd_write: (_file, list, count, written) => {
      let bytes = 0;
      for (let i = 0; i < count!; ++i) bytes += memory().getUint32(list! + 8 * i + 4, true);
      memory().setUint32(written!, bytes, true);
      return 0;
    },
    fd_close: () => 0,
    fd_seek: () => SEEK,
    environ_get: () => 0,
    environ_sizes_get: (count, size) => {
      memory().setUint32(count!, 0, true);
      memory().setUint32(size!, 0, true);
      return 0;
    },
    clock_time_get: (_clock, _precision, time) => {
      memory().setBigUint64(time!, 0n, true);
      return 0;
    },
    random_get: (at, size) => {
      crypto.getRandomValues(new Uint8Array(memory().buffer as ArrayBuffer, at!, size!));
      return 0;
    },
    proc_exit: () => {
      throw new Error("the computation ended itself");
    },
  };
  const system: Record<string, Call> = {};
  for (const { name } of WebAssembly.Module.imports(module)) system[name] = known[name] ?? (() => NOT_THERE);
  return { wasi_snapshot_preview1: system };
}

export class WasmHip {
  private readonly rows: number;
  private readonly name: number;
  private readonly hip: number;

  private constructor(private readonly exports: Exports) {
    this.rows = exports.malloc(12 * 8);
    this.name = exports.malloc(64);
    this.hip = (exports["create"] as Call)();
  }

  static async open(code: BufferSource, bytes: Uint8Array): Promise<WasmHip> {
    const module = await WebAssembly.compile(code);
    let exports: Exports | null = null;
    const instance = await WebAssembly.instantiate(
      module,
      emptySystem(module, () => new DataView(exports!.memory.buffer)),
    );
    exports = instance.exports as Exports;
    (exports["_initialize"] as Call)();
    const hip = new WasmHip(exports),
      at = exports.malloc(bytes.length);
    if (!at) throw new Error("there is not enough memory for this hip");
    new Uint8Array(exports.memory.buffer).set(bytes, at);
    hip.call("open", at, bytes.length);
    exports.free(at);
    return hip;
  }

  /** The answer of a call, or its message as an error. */
  private call(name: string, ...words: number[]): ArrayBuffer {
    const status = (this.exports[name] as Call)(this.hip, ...words),
      at = (this.exports["answer"] as Call)(this.hip),
      answer = this.exports.memory.buffer.slice(at, at + (this.exports["answer_size"] as Call)(this.hip));
    if (status) throw new Error(new TextDecoder().decode(answer));
    return answer as ArrayBuffer;
  }

  private number(name: string): number {
    return (this.exports[name] as Call)(this.hip);
  }

  /** As the viewer answers, byte for byte. */
  pose(matrix: readonly number[], field: string): ArrayBuffer {
    const view = new DataView(this.exports.memory.buffer),
      text = new TextEncoder().encode(field).subarray(0, 63);
    for (let i = 0; i < 12; ++i) view.setFloat64(this.rows + 8 * i, matrix[i] ?? NaN, true);
    new Uint8Array(view.buffer).set([...text, 0], this.name);
    return this.call("pose", this.rows, this.name);
  }

  /** The limits of all clinical motions, as the numbers of such an answer. */
  limits(): ArrayBuffer {
    return this.call("limits");
  }

  setCenter([x, y, z]: readonly [number, number, number]): void {
    this.call("set_center", x, y, z);
  }

  setJointRadius(mm: number): void {
    this.call("set_joint_radius", mm);
  }

  get jointRadius(): number {
    return this.number("joint_radius");
  }

  /** Where the femur's vertices on show are then. */
  cut([x, y, z]: readonly [number, number, number], radius: number, depth: number): Float64Array {
    return new Float64Array(this.call("cut", x, y, z, radius, depth));
  }

  undo(): Float64Array {
    return new Float64Array(this.call("undo"));
  }

  /** By all cuts, in mm³. */
  get removed(): number {
    return this.number("removed_mm3");
  }
}
