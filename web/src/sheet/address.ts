/* The state of the sheet in the address of the page, so that a bookmark or a sent address shows the same. What another
 * page or an earlier version has put there is ignored. */
import { SHAPES, TABLES, type Coloring } from "../colors/colors";
import { ROW_KINDS, type Row, type RowKind } from "./rows";

export interface SheetState {
  kind?: RowKind;
  /** Where rows were changed, instead of the kind. */
  rows?: Row[];
  computed?: string[];
  areas?: boolean;
  motion?: number;
  step?: number;
  field?: string;
  colors?: Readonly<Record<string, Coloring>>;
}

const KEY = "sheet=";
/** While the slider moves the address waits. */
const LATER_MS = 400;

export function readAddress(hash: string): SheetState {
  const text = hash.replace(/^#/, "");
  if (!text.startsWith(KEY)) return {};
  try {
    const state: unknown = JSON.parse(decodeURIComponent(text.slice(KEY.length)));
    return isRecord(state) ? checked(state) : {};
  } catch {
    return {};
  }
}

const isRecord = (x: unknown): x is Record<string, unknown> => typeof x === "object" && x !== null && !Array.isArray(x);
const isNumber = (x: unknown): boolean => typeof x === "number" && Number.isFinite(x);
const isOneOf = (x: unknown, options: readonly { value: string }[]): boolean =>
  options.some(({ value }) => value === x);

/** Only what has the right type. */
function checked(state: Record<string, unknown>): SheetState {
  const { kind, rows, computed, areas, motion, step, field, colors } = state,
    made: SheetState = {};
  if (isOneOf(kind, ROW_KINDS)) made.kind = kind as RowKind;
  if (Array.isArray(rows) && rows.length && rows.every(isRow)) made.rows = rows;
  if (Array.isArray(computed)) made.computed = computed.filter((each) => typeof each === "string");
  if (typeof areas === "boolean") made.areas = areas;
  if (Number.isInteger(motion)) made.motion = motion as number;
  if (Number.isInteger(step)) made.step = step as number;
  if (typeof field === "string") made.field = field;
  if (isRecord(colors) && Object.values(colors).every(isColoring)) made.colors = colors as Record<string, Coloring>;
  return made;
}

function isRow(x: unknown): x is Row {
  if (!isRecord(x)) return false;
  const { motion, place, frame, field, shape, level, surface } = x;
  return (
    [motion, field, surface].every((each) => each === undefined || typeof each === "string") &&
    [place, level].every((each) => each === undefined || isNumber(each)) &&
    (frame === undefined || (Number.isInteger(frame) && (frame as number) >= 0)) &&
    (shape === undefined || isOneOf(shape, SHAPES))
  );
}

function isColoring(x: unknown): x is Coloring {
  if (!isRecord(x)) return false;
  const { table, shape, points, low, high, level } = x,
    isPoint = (each: unknown): boolean => Array.isArray(each) && each.length === 2 && each.every(isNumber);
  return (
    isOneOf(table, TABLES) &&
    isOneOf(shape, SHAPES) &&
    Array.isArray(points) &&
    points.every(isPoint) &&
    [low, high, level].every((each) => each === null || isNumber(each))
  );
}

export function addressOf(state: SheetState): string {
  return `#${KEY}${encodeURIComponent(JSON.stringify(state))}`;
}

let later: ReturnType<typeof setTimeout> | undefined, first: string | undefined;

/** The address stays bare until something has been changed. */
export function keepInAddress(state: () => SheetState): void {
  first ??= addressOf(state());
  clearTimeout(later);
  later = setTimeout(() => {
    const address = addressOf(state());
    if (!location.hash && address === first) return;
    try {
      history.replaceState(null, "", address);
    } catch {
      // Some browsers refuse this for files; the page works the same.
    }
  }, LATER_MS);
}
