/* Cells computed from other cells: a difference or a ratio. Names are as in a spreadsheet, A1 for the first report in the
 * first row, =1 for the first computed cell; a computed cell may use those before it, so that none depends on itself.
 * They are computed again whenever a cell changes (Maciel 2005, §5.4.4). */
import { resampled } from "./compare-numbers";

export interface Formula {
  left: string;
  operator: "-" | "/";
  right: string;
}

/** What a cell holds: an area now and along its motion. */
export interface CellValue {
  now: number | null;
  history: readonly (number | null)[];
  /** Where on the motion each value of the history lies. */
  along: readonly number[];
  motion: string | null;
  step: number;
  unit: string;
}

export const OPERATORS: { value: Formula["operator"]; label: string }[] = [
  { value: "-", label: "\u2212" },
  { value: "/", label: "\u00f7" },
];

/** 0, 1, … as A, B, … Z, AA, AB, … */
export function columnName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26);
}

export function cellName(column: number, row: number): string {
  return columnName(column) + String(row + 1);
}

export function formulaText({ left, operator, right }: Formula): string {
  return `${left}${operator}${right}`;
}

export function parseFormula(text: string): Formula | null {
  const match = /^([A-Z]+\d+|=\d+|)([-/])([A-Z]+\d+|=\d+|)$/.exec(text);
  return match && { left: match[1]!, operator: match[2] as Formula["operator"], right: match[3]! };
}

/** A cell's name after a row came (`by` 1) or went (`by` -1) at `row`; "" when the cell is gone. */
export function shiftedName(name: string, row: number, by: 1 | -1): string {
  const match = /^([A-Z]+)(\d+)$/.exec(name);
  if (!match) return name;
  const own = Number(match[2]) - 1;
  if (by < 0 && own === row) return "";
  return own >= row ? match[1]! + String(own + by + 1) : name;
}

export function shiftedFormula({ left, operator, right }: Formula, row: number, by: 1 | -1): Formula {
  return { left: shiftedName(left, row, by), operator, right: shiftedName(right, row, by) };
}

function computed(a: number | null, operator: Formula["operator"], b: number | null): number | null {
  if (a === null || b === null || (operator === "/" && b === 0)) return null;
  return operator === "-" ? a - b : a / b;
}

/** The history of one cell at the places of another: at the same angle or time in the same motion, else at the same share. */
function historyLike(value: CellValue, like: CellValue): (number | null)[] {
  if (value.history.length === 1) return like.history.map(() => value.history[0]!);
  if (value.motion === like.motion && value.along.join() === like.along.join()) return [...value.history];
  const share = (each: CellValue): number[] => each.history.map((_, i) => i / Math.max(1, each.history.length - 1)),
    [from, to] = value.motion === like.motion ? [value.along, like.along] : [share(value), share(like)];
  return resampled(from, value.history, to);
}

function evaluated({ operator }: Formula, left: CellValue, right: CellValue): CellValue {
  const like = left.history.length === 1 ? right : left,
    ofRight = historyLike(right, like);
  return {
    now: computed(left.now, operator, right.now),
    history: historyLike(left, like).map((x, i) => computed(x, operator, ofRight[i] ?? null)),
    along: like.along,
    motion: like.motion,
    step: like.step,
    unit:
      operator === "/" && left.unit === right.unit ? "" : operator === "/" ? `${left.unit}/${right.unit}` : left.unit,
  };
}

/** The values of all computed cells, in order; null where a cell that they name is not there, or has no value yet. */
export function evaluate(formulas: readonly Formula[], cell: (name: string) => CellValue | null): (CellValue | null)[] {
  const done: (CellValue | null)[] = [];
  const find = (name: string): CellValue | null =>
    name.startsWith("=") ? (done[Number(name.slice(1)) - 1] ?? null) : cell(name);
  for (const formula of formulas) {
    const left = find(formula.left),
      right = find(formula.right);
    done.push(left && right ? evaluated(formula, left, right) : null);
  }
  return done;
}
