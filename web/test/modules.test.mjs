/* What needs no browser: numbers, colours, tables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { areaAboveSlowly, makeReport, pose } from "./fixture.mjs";
import { loadModule } from "./modules.mjs";

test("surfaces and fields come back as they were, to half a step", async () => {
  const { decodeSurface, decodeField } = await loadModule("scene/decode");
  const { inflateRawSync } = await import("node:zlib");
  const { model, blobs, plain } = makeReport({ quads: 20 });
  for (const body of model.bodies) {
    const bytes = (id) => new Uint8Array(inflateRawSync(blobs.get(id))),
      { points, triangles, fields } = plain[body.name];
    const { positions, indices } = decodeSurface(bytes(body.mesh.blob), body.mesh, [0, 0, 0]);
    assert.deepEqual([...indices], triangles);
    points.flat().forEach((x, i) => assert.ok(Math.abs(positions[i] - x) <= 0.5 * body.mesh.step + 1e-4));
    for (const field of body.fields) {
      const values = decodeField(bytes(field.blob), field, body.mesh.vertices);
      fields[`${field.name}/${field.motion}`].forEach((x, i) =>
        assert.ok(Number.isNaN(x) ? Number.isNaN(values[i]) : Math.abs(values[i] - x) <= 0.5 * field.step + 1e-6),
      );
    }
  }
});

test("damaged surfaces and fields are refused", async () => {
  const { decodeSurface, decodeField } = await loadModule("scene/decode");
  const mesh = { blob: "b", vertices: 1, triangles: 1, origin: [0, 0, 0], step: 1 };
  assert.throws(() => decodeSurface(new Uint8Array(17), mesh, [0, 0, 0]), /wrong length/);
  const bytes = new Uint8Array(18);
  bytes[6] = 4; // an index of 2
  assert.throws(() => decodeSurface(bytes, mesh, [0, 0, 0]), /vertex that it does not have/);
  assert.throws(() => decodeField(new Uint8Array(3), { blob: "b", steps: 1 }, 1), /wrong length/);
});

test("values that belong to another motion are told from those of this one", async () => {
  const { greatestAlong } = await loadModule("colors/fields");
  const field = (motion, steps) => ({ name: "depth", motion, steps });
  const body = { fields: [field("sitting", 31), field(null, 1), { name: "pressure", motion: null, steps: 1 }] };
  assert.equal(greatestAlong(body, "depth", "sitting"), null);
  assert.equal(greatestAlong(body, "depth", "flexion"), "sitting");
  assert.equal(greatestAlong(body, "depth", undefined), "sitting");
  assert.equal(greatestAlong(body, "pressure", "flexion"), null); // the same throughout
});

test("what colours the labrum lies inside both bones", async () => {
  const { colorsLabrum } = await loadModule("colors/fields");
  const body = (tissue, ...names) => ({ tissue, fields: names.map((name) => ({ name })) });
  const bodies = [body("bone", "share"), body("labrum", "depth"), body("cartilage", "pressure")];
  assert.deepEqual(["share", "depth", "pressure", ""].map((field) => colorsLabrum(bodies, field)), [false, true, false, false]);
});

const linear = (c) => ((c /= 255), c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const lightness = ([r, g, b]) => 116 * Math.cbrt(0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)) - 16;
const scale = { table: "viridis", shape: "linear", points: [], low: 0, high: 1, level: 0.5, kinds: 0 };

test("colours grow lighter with the value, so that they read without colour vision", async () => {
  const { colorAt, isDiverging, SHAPES, TABLES } = await loadModule("colors/colors");
  const ordered = TABLES.map(({ value }) => value).filter((table) => table !== "categories" && !isDiverging(table));
  assert.deepEqual(ordered, ["viridis", "cividis", "ember", "ice", "grey"]);
  for (const table of ordered)
    for (const { value: shape } of SHAPES) {
      const points = [
          [0, 0],
          [0.3, 0.1],
          [1, 1],
        ],
        steps = Array.from({ length: 101 }, (_, i) => lightness(colorAt({ ...scale, table, shape, points }, i / 100)));
      if (shape === "threshold") {
        assert.equal(new Set(steps).size, 2);
        assert.ok(Math.abs(steps[0] - steps[100]) > 20);
      } else steps.forEach((l, i) => assert.ok(i === 0 || l >= steps[i - 1] - 0.6, `${table}, ${shape} at ${i}`));
      if (shape !== "linear" || table === "grey") continue;
      const slopes = Array.from({ length: 10 }, (_, i) => steps[10 * i + 10] - steps[10 * i]);
      assert.ok(Math.max(...slopes) < 2 * Math.min(...slopes), `${table} is even: ${slopes.map((x) => x.toFixed(1))}`);
    }
});

test("tables with a middle have it at 0, lightest there and even to both sides", async () => {
  const { colorAt } = await loadModule("colors/colors"),
    { scaleOf, coloringOf } = await loadModule("colors/fields");
  for (const table of ["blue-red", "purple-green"]) {
    const steps = Array.from({ length: 101 }, (_, i) => lightness(colorAt({ ...scale, table }, i / 100)));
    steps.forEach((l, i) =>
      assert.ok(i === 0 || (i <= 50 ? l >= steps[i - 1] - 0.6 : l <= steps[i - 1] + 0.6), `${table} at ${i}`),
    );
    steps.forEach((l, i) => assert.ok(Math.abs(l - steps[100 - i]) < 3, `${table}: both sides alike at ${i}`));
    for (const shape of ["linear", "s-curve", "log"]) {
      const middle = colorAt({ ...scale, table, shape, low: -2, high: 6 }, 0.25);
      assert.deepEqual(middle, [243, 243, 243], `${table}, ${shape}: 0 of -2 to 6 is a quarter of the way`);
    }
  }
  const signed = { name: "gap", label: "Gap", unit: "mm", low: -2, high: 6 },
    chosen = coloringOf(signed, { colors: {} });
  assert.equal(chosen.table, "blue-red");
  const ends = ({ low, high }) => [low, high];
  assert.deepEqual(ends(scaleOf(signed, chosen)), [-6, 6], "as much colour for as much on either side");
  assert.deepEqual(ends(scaleOf(signed, { ...chosen, low: -1 })), [-1, 6]);
  assert.deepEqual(ends(scaleOf(signed, { ...chosen, table: "ice" })), [-2, 6]);
  assert.equal(coloringOf({ ...signed, low: 0 }, { colors: {} }).table, "viridis");
});

test("kinds have a colour each", async () => {
  const { colorAt } = await loadModule("colors/colors"),
    { scaleOf } = await loadModule("colors/fields");
  const zones = { name: "zone", label: "Zone", unit: "", low: 1, high: 5 },
    coloring = { table: "categories", shape: "linear", points: [], low: null, high: null, level: null };
  const made = scaleOf(zones, coloring),
    colors = [1, 2, 3, 4, 5].map((zone) => colorAt(made, (zone - 1) / 4).join());
  assert.equal(made.kinds, 5);
  assert.equal(new Set(colors).size, 5);
  for (const off of [-0.1, 0.1]) assert.equal(colorAt(made, 0.25 + off).join(), colors[1], "a little beside it");
  assert.equal(scaleOf({ ...zones, unit: "mm" }, coloring).kinds, 0);
  const bands = Array.from({ length: 80 }, (_, i) => colorAt({ ...scale, table: "categories" }, (i + 0.5) / 80).join());
  assert.equal(new Set(bands).size, 8, "amounts fall into eight bands");
});

test("a drawn function goes through its points, which stay in order", async () => {
  const { bend, colorAt, tableColor } = await loadModule("colors/colors"),
    { movedPoint, placeFor, pointsOf } = await loadModule("colors/curve-editor");
  const points = [
    [0, 0.2],
    [0.5, 0.4],
    [1, 1],
  ];
  for (const [at, color] of points) {
    assert.equal(bend("drawn", points, at), color);
    assert.deepEqual(colorAt({ ...scale, shape: "drawn", points }, at), tableColor("viridis", color));
  }
  assert.ok(Math.abs(bend("drawn", points, 0.75) - 0.7) < 1e-12);
  assert.deepEqual(movedPoint(points, 1, 2, 2)[1], [0.99, 1], "no further than the next");
  assert.deepEqual(movedPoint(points, 0, 0.5, 0.5)[0], [0, 0.5], "ends stay at the ends");
  assert.deepEqual([placeFor(points, 0.7), placeFor(points, 0.505), placeFor(points, 1.2)], [2, -1, -1]);
  for (const shape of ["linear", "s-curve", "log"])
    for (const [at, color] of pointsOf({ ...scale, shape })) assert.equal(color, bend(shape, [], at), shape);
  assert.deepEqual(pointsOf({ ...scale, shape: "threshold", low: 0, high: 4, level: 1 }), [[0.25, 0.5]]);
});

test("joint angles give the pose that the motions have", async () => {
  const { hipPose } = await loadModule("live/hip-pose");
  const { frame } = makeReport({ quads: 4 }).model;
  for (const angles of [
    [0, 0, 0],
    [90, 0, 20],
    [-20, 15, -40],
    [110, -45, 30],
  ]) {
    hipPose(frame, ...angles).forEach((x, i) => assert.ok(Math.abs(x - pose(...angles)[i]) < 1e-9));
  }
  // A femur that lies flexed by 30 degrees comes to rest by a turn of -30.
  const c = Math.cos(Math.PI / 6),
    s = Math.sin(Math.PI / 6);
  const femur = { flexion: [-1, 0, 0], adduction: [0, -c, s], rotation: [0, s, c] };
  const turn = hipPose({ ...frame, joint: { ...frame.joint, femur } }, 0, 0, 0);
  pose(-30, 0, 0).forEach((x, i) => assert.ok(Math.abs(x - turn[i]) < 1e-9));
  assert.equal(hipPose({ ...frame, joint: undefined }, 0, 0, 0), null);
});

test("coarse surfaces have about as many triangles as asked for, all of them proper and near the whole", async () => {
  const { coarseIndices } = await loadModule("scene/coarse");
  const { points, triangles } = makeReport({ quads: 120 }).plain.femur;
  for (const target of [2000, 8000]) {
    const coarse = coarseIndices(Float32Array.from(points.flat()), Uint32Array.from(triangles), target);
    assert.ok(coarse.length / 3 > 0.4 * target && coarse.length / 3 < 2 * target, `${coarse.length / 3} for ${target}`);
    const area = (list) => {
      let sum = 0;
      for (let t = 0; t < list.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => points[list[t + k]]),
          u = b.map((x, k) => x - a[k]),
          v = c.map((x, k) => x - a[k]);
        sum += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
      }
      return sum;
    };
    assert.ok(Math.abs(area(coarse) / area(triangles) - 1) < 0.1, `${area(coarse)} of ${area(triangles)} mm2`);
  }
});

test("areas above a level are those of the triangles cut at it", async () => {
  const { areaAbove, shareAbove, triangleAreas } = await loadModule("sheet/areas");
  const { points, triangles, fields } = makeReport({ quads: 20 }).plain.femur,
    flat = Float32Array.from(points.flat()),
    areas = triangleAreas(flat, triangles);
  const rounded = points.map((_, i) => [...flat.subarray(3 * i, 3 * i + 3)]),
    count = points.length;
  const all = fields["depth/flexion"],
    made = points.map((p, i) => (i % 11 ? Math.sin(0.2 * p[0]) + Math.cos(0.3 * p[1] + p[2]) : NaN)),
    equal = points.map((_, i) => i % 3);
  let crossed = 0;
  for (const [values, from, levels] of [
    [all, 0, [0, 0.5, 1]],
    [all, 22 * count, [-1, 0, 0.7, 1.6, 2.9, 3.2, 9]],
    [made, 0, [-2, -0.5, 0, 0.123, 1.9]],
    [equal, 0, [0, 0.5, 1, 1.5, 2, 2.5]],
  ])
    for (const level of levels) {
      const slow = areaAboveSlowly(rounded, triangles, values.slice(from, from + count), level),
        fast = areaAbove(areas, triangles, values, from, level);
      assert.ok(Math.abs(fast - slow) <= 1e-9 * Math.max(1, slow), `${fast} for ${slow} at ${level}`);
      crossed += slow > 0;
    }
  assert.ok(crossed > 10, `${crossed} levels are met`);
  assert.deepEqual(
    [
      shareAbove(0, 0, 0, 0),
      shareAbove(0, 0, 1, 0.5),
      shareAbove(0, 1, 1, 0.5),
      shareAbove(NaN, 1, 1, 0),
      shareAbove(1, 2, 3, 4),
    ],
    [1, 0.25, 0.75, 0, 0],
  );
});

test("cells are computed from others, follow them, and never depend on themselves", async () => {
  const { evaluate, parseFormula, formulaText, shiftedFormula, cellName } = await loadModule("sheet/computed");
  const cells = new Map();
  const put = (name, now, history, along = history.map((_, i) => 10 * i), motion = "flexion") =>
    cells.set(name, { now, history, along, motion, step: 0, unit: "mm\u00b2" });
  put("A1", 6, [6, 4, 2]);
  put("B1", 4, [4, 2, 0]);
  const formulas = ["A1-B1", "A1/B1", "=1/A1", "=4-A1", "=9-A1", "C7-A1", "-A1"].map(parseFormula),
    values = () => evaluate(formulas, (name) => cells.get(name) ?? null);
  assert.deepEqual(formulas.map(formulaText), ["A1-B1", "A1/B1", "=1/A1", "=4-A1", "=9-A1", "C7-A1", "-A1"]);
  const [difference, ratio, nested, ...broken] = values();
  assert.deepEqual([difference.now, difference.history, difference.unit], [2, [2, 2, 2], "mm\u00b2"]);
  assert.deepEqual([ratio.now, ratio.history, ratio.unit], [1.5, [1.5, 2, null], ""], "nothing is divided by 0");
  assert.ok(Math.abs(nested.now - 1 / 3) < 1e-12);
  assert.deepEqual(broken, [null, null, null, null]);
  put("B1", 1, [1, 3], [0, 20]); // fewer steps of the same motion: by angle
  assert.deepEqual([values()[0].now, values()[0].history], [5, [5, 2, -1]]);
  put("B1", 1, [1, 3], [0, 45], "abduction"); // another motion: by share
  assert.deepEqual(values()[0].history, [5, 2, -1]);
  put("B1", 1, [1], [0]); // the same throughout
  assert.deepEqual([values()[0].history, values()[0].now], [[5, 3, 1], 5]);
  assert.equal(parseFormula("A1+B1"), null);
  assert.equal(cellName(27, 4), "AB5");
  const shifted = (text, row, by) => formulaText(shiftedFormula(parseFormula(text), row, by));
  assert.deepEqual(
    [shifted("A1-B2", 1, 1), shifted("A1-B2", 0, -1), shifted("A3/=1", 1, -1)],
    ["A1-B3", "-B1", "A2/=1"],
  );
});

test("rows are offered by motion, time, field and threshold", async () => {
  const { rowsOf, rowLabel, roundLevels, evenFrames } = await loadModule("sheet/rows");
  const motions = makeReport({ quads: 4 }).model.motions,
    groups = [{ name: "depth", label: "Depth", unit: "mm", low: 0, high: 3.2 }],
    context = { motions, groups, motion: motions[0], group: groups[0], low: 0, high: 3.2 };
  const labels = (kind) => rowsOf(kind, context).map((row) => rowLabel(row, context));
  assert.deepEqual(labels("motions"), ["Flexion", "Internal rotation at 90 degrees", "Abduction"]);
  assert.deepEqual(labels("places"), ["Start", "Middle", "End"]);
  assert.deepEqual(labels("fields"), ["Depth"]);
  assert.deepEqual(labels("levels"), ["Depth above 1.0 mm", "Depth above 2.0 mm", "Depth above 3.0 mm"]);
  assert.deepEqual(labels("one"), [""]);
  assert.deepEqual(
    labels("frames"),
    [0, 20, 45, 65, 90, 110].map((angle) => `Flexion ${angle}\u00b0`),
  );
  assert.deepEqual(roundLevels(-0.3, 0.7), [-0.2, 0, 0.2, 0.4, 0.6]);
  assert.deepEqual(roundLevels(2, 2), [2]);
  assert.deepEqual([evenFrames(1), evenFrames(3), evenFrames(11)], [[0], [0, 1, 2], [0, 2, 4, 6, 8, 10]]);
});

test("the address keeps the sheet, and what is not its own is ignored", async () => {
  const { addressOf, readAddress } = await loadModule("sheet/address");
  const state = {
    rows: [
      { motion: "flexion", frame: 3 },
      { field: "depth", shape: "threshold", level: 1.5, surface: "*" },
    ],
    computed: ["A1-B1"],
    motion: 1,
    step: 4,
    field: "depth",
    colors: {
      depth: {
        table: "ember",
        shape: "drawn",
        points: [
          [0, 0],
          [1, 1],
        ],
        low: null,
        high: 3,
        level: null,
      },
    },
  };
  assert.deepEqual(readAddress(addressOf(state)), state);
  const kept = (given) => readAddress(addressOf(given));
  for (const bad of ["", "#tables", "#sheet=", "#sheet=%", "#sheet=[1]", "#sheet=null"])
    assert.deepEqual(readAddress(bad), {}, bad);
  assert.deepEqual(kept({ kind: "rainbow", motion: 1.5, field: 3, areas: "no", computed: [1, "A1-B1"] }), {
    computed: ["A1-B1"],
  });
  for (const row of [{ level: "1" }, { frame: -1 }, { shape: "bump" }, { motion: 7 }, 3])
    assert.deepEqual(kept({ rows: [row] }), {});
  for (const change of [{ table: "rainbow" }, { points: [[0]] }, { low: "0" }])
    assert.deepEqual(kept({ colors: { depth: { ...state.colors.depth, ...change } } }), {});
});

test("curves are resampled by straight lines, with gaps kept", async () => {
  const { resampled } = await loadModule("sheet/compare-numbers");
  assert.deepEqual(resampled([0, 10, 20], [0, 1, 4], [0, 5, 10, 15, 20, 25]), [0, 0.5, 1, 2.5, 4, null]);
  assert.deepEqual(resampled([0, -10, -20], [0, 1, 4], [-5, -20, 5]), [0.5, 4, null]);
  assert.deepEqual(resampled([0, 10, 20], [0, null, 4], [0, 5, 10, 15, 20]), [0, null, null, null, 4]);
  assert.deepEqual(resampled([], [], [1]), [null]);
});

test("steps of a motion are put in the order that plots want", async () => {
  const { sortedSteps } = await loadModule("figures/curves");
  assert.deepEqual(sortedSteps([0, 5, 10]), { order: [0, 1, 2], x: [0, 5, 10], byNumber: false });
  assert.deepEqual(sortedSteps([0, -5, -10]), { order: [2, 1, 0], x: [-10, -5, 0], byNumber: false });
  assert.deepEqual(sortedSteps([0, 5, 0]), { order: [0, 1, 2], x: [0, 1, 2], byNumber: true });
});

test("hours are written as on a clock", async () => {
  const { clockTime } = await loadModule("figures/clock");
  const hours = [1.5, 12.25, 0, 12, 11.999, 8, 12.7].map(clockTime);
  assert.deepEqual(hours, ["1:30", "12:15", "12:00", "12:00", "12:00", "8:00", "12:45"]);
});

test("of requests that wait only the last is sent", async () => {
  const { LatestWins } = await loadModule("live/latest-wins");
  const sent = [],
    waiting = [];
  const queue = new LatestWins((x) => (sent.push(x), new Promise((done) => waiting.push(done))));
  const all = [1, 2, 3, 4].map((x) => queue.ask(x));
  assert.deepEqual(sent, [1]);
  waiting.shift()();
  await new Promise(setImmediate);
  assert.deepEqual(sent, [1, 4]);
  waiting.shift()();
  await Promise.all(all);
  assert.deepEqual(sent, [1, 4]);
});

test("a pose of a hip in words", async () => {
  const { angleWords } = await loadModule("live/hip-pose");
  assert.equal(angleWords([90, 20.4, 29.7]), "flexed 90\u00b0, adducted 20\u00b0, turned in 30\u00b0");
  assert.equal(angleWords([-10, -5, 0.2]), "extended 10\u00b0, abducted 5\u00b0");
});

test("numbers of notes in a row are drawn together", async () => {
  const { numberText } = await loadModule("page/notes");
  assert.equal(numberText([1, 2, 3, 5]), "1\u20133 5");
  assert.equal(numberText([1, 2, 4]), "1 2 4");
  assert.equal(numberText([]), "");
});

test("a motion is marked where the verdict speaks of it", async () => {
  const { isNamed } = await loadModule("page/verdict"),
    verdict = ["Adduction 12\u00b0 (3\u201325\u00b0), external rotation 20\u00b0 (4\u201335\u00b0): on the ischium.", "FADIR cannot be reached."];
  assert.ok(isNamed(verdict, "Adduction", "12\u00b0"));
  assert.ok(isNamed(verdict, "External rotation", "20\u00b0"));
  assert.ok(isNamed(verdict, "FADIR", "\u22126\u00b0"));
  assert.ok(!isNamed(verdict, "Adduction in 90\u00b0 of flexion", "12\u00b0"));
  assert.ok(!isNamed(verdict, "Internal rotation", "20\u00b0"));
  assert.ok(isNamed(["Flexion ends at 90\u00b0 (80\u201395\u00b0), less than normal (97\u2013145\u00b0)."], "Flexion", "90\u00b0"));
  assert.ok(!isNamed(["No sign of impingement. Flexion ends at 120\u00b0."], "Flexion", "120\u00b0"));
});

test("a renewal says what the analysis tells of itself", async () => {
  const { progressWords } = await loadModule("live/renewal");
  assert.equal(progressWords({ share: 0.456, step: 5, steps: 9, doing: "envelope of motion" }), "Step 5 of 9: envelope of motion");
  assert.equal(progressWords({ share: null }), null);
});

test("what is left of an answer waits for the next question to be on its way", async () => {
  const { LatestWins } = await loadModule("live/latest-wins");
  const done = [];
  const queue = new LatestWins(async (x) => {
    done.push(`ask ${x}`);
    await new Promise(setImmediate);
    return () => done.push(`show ${x}`);
  });
  await Promise.all([queue.ask(1), queue.ask(2)]);
  assert.deepEqual(done, ["ask 1", "ask 2", "show 1", "show 2"]);
});

test("a motion without an angle is shown by its state, also in a comparison", async () => {
  const { whyNot } = await loadModule("figures/ranges"),
    { numberCells, numbersTable, numberTables } = await loadModule("sheet/compare-numbers");
  const none = { low: null, high: null, source: null, group: "motion" },
    range = (value, why_not) => ({ name: "fadir", label: "FADIR", unit: "\u00b0", value, why_not, ...none });
  assert.equal(whyNot(range(null, "no free pose")), "no free pose");
  assert.equal(whyNot({ ...range(null, "no fossa"), group: "measure" }), "not known: no fossa");
  const states = ["no free pose", "no stop within 360\u00b0"],
    ranges = [...states.map((state) => range(null, state)), range(30, null)];
  const [row] = numbersTable(ranges.map((each, i) => ({ title: `${i}`, ranges: [each] }))).rows;
  assert.deepEqual([row.v0, row.v1, row.v2, row.d1, row.d2], [...states, 30, null, null]);
  // copies have all digits; what is read are differences of what is read
  const items = [133.6, 134.4, 132.4, 133.60001].map((x) => ({ title: "", ranges: [range(x, null)] })),
    [angles] = numbersTable(items).rows;
  assert.deepEqual([angles.d1, angles.d2], [134.4 - 133.6, 132.4 - 133.6]);
  items[2].ranges[0].band = [-3.6, 140.2];
  const put = numberCells(items);
  assert.deepEqual(["v0", "v1", "v2", "d1", "d2", "d3"].map((key) => put(0, key)[0]), ["134", "134", "132 (\u22124 to 140)", "0", "\u22122", "0"]);
  assert.deepEqual([put(0, "number"), numberCells([{ ranges: [ranges[0]] }])(0, "v0")], [null, null]);
  assert.deepEqual(numberTables([{ title: "Depths alone", ranges: [] }]), []); // no heading over nothing
  assert.equal(numberTables([{ title: "One", ranges: [ranges[2]] }]).length, 1);
});

test("published ranges are written briefly, and what lies below or above is known as it is printed", async () => {
  const { rangeText, side } = await loadModule("figures/ranges");
  const range = (value, low, high, unit) => ({ value, low, high, unit });
  assert.equal(rangeText(range(1, 32, 62, "\u00b0")), "32 to 62\u00b0");
  assert.equal(rangeText(range(1, 109.2, 132.8, "deg")), "109 to 133\u00b0");
  assert.equal(rangeText(range(1, 0.17, null, "")), "from 0.17");
  assert.equal(rangeText(range(1, null, -4.5, "mm")), "up to \u22124.5 mm");
  assert.equal(rangeText(range(1, null, null, "mm")), "");
  assert.deepEqual(
    [range(31, 32, 62), range(32, 32, 62), range(63, 32, 62), range(0.1, 0.17, null), range(null, 1, 2)].map(side),
    ["below", null, "above", "below", null],
  );
  assert.deepEqual(
    [range(134.4, 123, 134, "deg"), range(134.6, 123, 134, "deg"), range(6.6, 7.4, 20, "deg")].map(side),
    [null, "above", null],
  );
});

test("the colours of the envelope are spent on the decisive range", async () => {
  const { envelopeRange, envelopeColor } = await loadModule("figures/envelope-range");
  const internal = [[900, -500, 12, null, 35]],
    range = envelopeRange([{ internal, external: [[20]] }], "internal");
  assert.deepEqual(range, { low: 0, high: 40, below: true, above: true });
  assert.equal(envelopeColor(900, range), envelopeColor(range.high, range));
  assert.equal(envelopeColor(-500, range), envelopeColor(range.low, range));
  assert.notEqual(envelopeColor(10, range), envelopeColor(20, range));
  assert.equal(envelopeColor(null, range), null);
  assert.deepEqual(envelopeRange([{ internal, external: [[20]] }], "external"), { low: 0, high: 40, below: false, above: false });
});

test("a cell of the envelope is in one of three states, and names its contact", async () => {
  const { cellWords } = await loadModule("figures/envelope-range"),
    words = ["head on the rim, inside the joint", "neck on the AIIS, outside the joint"],
    envelope = {
      internal: [[20, 90, null, -5]],
      external: [[30, 30, 30, 30]],
      followed_to: 90,
      contacts: { words, internal: [[1, null, null, 0]], external: [[null, null, null, null]] },
    },
    all = [0, 1, 2, 3].map((j) => cellWords(envelope, "internal", 0, j));
  assert.deepEqual(all, [
    "20\u00b0 of internal rotation free, then neck on the AIIS, outside the joint",
    "no stop of internal rotation within 90\u00b0",
    "no free pose",
    "free when turned back by 5\u00b0, then head on the rim, inside the joint",
  ]);
  assert.equal(cellWords(envelope, "external", 0, 0), "30\u00b0 of external rotation free");
  assert.equal(cellWords({ internal: [[900]], external: [] }, "internal", 0, 0), "900\u00b0 of internal rotation free");
});

test("lines of equal value lie where the values are those", async () => {
  const { contourLines } = await loadModule("figures/contour"),
    plane = Array.from({ length: 7 }, (_, i) => Array.from({ length: 5 }, (__, j) => 3 * i - 2 * j + 0.25));
  const lines = contourLines(plane, 4);
  assert.ok(lines.length > 4);
  for (const [x1, y1, x2, y2] of lines)
    for (const [x, y] of [
      [x1, y1],
      [x2, y2],
    ])
      assert.ok(Math.abs(3 * x - 2 * y + 0.25 - 4) < 1e-12);
  // every square with corners on both sides has one
  let crossed = 0;
  for (let i = 0; i < 6; ++i)
    for (let j = 0; j < 4; ++j) {
      const all = [plane[i][j], plane[i + 1][j], plane[i][j + 1], plane[i + 1][j + 1]];
      crossed += Math.min(...all) < 4 && Math.max(...all) >= 4 ? 1 : 0;
    }
  assert.equal(lines.length, crossed);
  plane[2][2] = null;
  assert.ok(contourLines(plane, 4).length < crossed);
});

test("the clock says what is missing, and of what is not where it lies", async () => {
  const { shortText } = await loadModule("figures/clock"),
    flexion = { label: "Flexion", unit: "deg", low: 109.2, high: 132.8 },
    said = (short_by, value) => shortText({ label: "Flexion", unit: "deg", short_by }, [{ ...flexion, value }]);
  assert.equal(said(9.2, 100), ", 9\u00b0 short");
  assert.equal(said(0, 120), ", within its range");
  assert.equal(said(0, 133.9), ", above its range");
  assert.equal(said(null, 120), ", no range is published");
});

test("numbers on the clock stand beside each other", async () => {
  const { spread } = await loadModule("figures/clock");
  for (const hours of [[1, 1, 1, 1.2], [11.9, 0.1, 0.2], [3], [], Array.from({ length: 12 }, () => 6)]) {
    const placed = spread(hours, 0.6);
    for (let i = 0; i < placed.length; ++i)
      for (let k = 0; k < i; ++k) {
        const gap = Math.abs(((placed[i] - placed[k] + 18) % 12) - 6);
        assert.ok(gap > 0.55, `${placed}`);
      }
  }
  assert.deepEqual(spread([2, 5, 9], 0.6), [2, 5, 9]);
});

test("angles of a pose are written without a zero below zero", async () => {
  const { anglesLabel } = await loadModule("live/angles");
  assert.equal(anglesLabel([100, -0.04, -20.25]), "Flexion 100\u00b0, add. 0\u00b0, int. rot. \u221220\u00b0");
});

test("a drag stops at the last free pose", async () => {
  const { isFree, lastFree, poseBetween } = await loadModule("live/contact-stop"),
    center = [10, -20, 5],
    about = (degrees) => {
      const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
      return [c, -s, 0, center[0] - c * center[0] + s * center[1], s, c, 0, center[1] - s * center[0] - c * center[1], 0, 0, 1, 0];
    },
    degreesOf = (pose) => (Math.atan2(pose[4], pose[0]) * 180) / Math.PI;
  poseBetween(about(10), about(50), center, 0.25).forEach((x, i) => assert.ok(Math.abs(x - about(20)[i]) < 1e-9));
  const found = await lastFree(about(0), about(64), center, async (pose) => degreesOf(pose) <= 33.3);
  assert.ok(degreesOf(found) <= 33.3 && degreesOf(found) > 32.2, `${degreesOf(found)}`);
  assert.ok(isFree([{ name: "free_flexion", value: 3 }, { name: "clearance", value: -1 }, { name: "free_extension", value: null, words: "no stop within 90°" }]));
  assert.ok(!isFree([{ name: "free_flexion", value: -0.1 }]));
  assert.ok(!isFree([{ name: "free_flexion", value: null, words: "no free pose" }]));
});

test("a body is laid on another one by their frames, mirrored if it is of the other side", async () => {
  const { bodyFrame } = await loadModule("sheet/difference"),
    axes = { right: [1, 0, 0], forward: [0, 1, 0], up: [0, 0, 1] },
    femur = (sense) => ({ flexion: [1, 0, 0], adduction: [0, sense, 0], rotation: [0, 0, sense] }),
    frame = (side, sense) => ({ ...axes, side, joint: { pelvis: femur(sense), femur: femur(sense) } });
  for (const moves of [false, true]) {
    const right = bodyFrame(frame("right", 1), moves).elements,
      left = bodyFrame(frame("left", -1), moves).elements;
    assert.deepEqual([right[0], right[5], right[10]], [1, 1, 1]);
    assert.deepEqual([left[0], left[5], left[10]], [-1, 1, 1]);
  }
});

test("names of landmarks cover neither each other nor signs, and stay in the picture", async () => {
  const { placeLabels } = await loadModule("scene/labels"),
    // many about one place, as about a femoral head, and one in each corner
    signs = [...Array.from({ length: 12 }, (_, i) => [300 + 4 * (i % 4), 200 + 5 * (i >> 2)]), [2, 2], [598, 398], [2, 398], [598, 2]].map(
      ([x, y]) => ({ x, y, width: 90 }),
    ),
    corner = { left: 0, top: 0, width: 150, height: 40 },
    places = placeLabels(signs, 600, 400, [corner]),
    all = [corner, ...places];
  assert.ok(places.every(({ left, top, width, height }) => left >= 0 && top >= 0 && left + width <= 600 && top + height <= 400));
  for (const [i, a] of all.entries())
    for (const b of all.slice(i + 1))
      assert.ok(a.left >= b.left + b.width || b.left >= a.left + a.width || a.top >= b.top + b.height || b.top >= a.top + a.height);
  for (const { x, y } of signs)
    for (const box of places) assert.ok(x <= box.left || x >= box.left + box.width || y <= box.top || y >= box.top + box.height);
  // with room, beside its sign
  assert.deepEqual(placeLabels([{ x: 50, y: 60, width: 30 }], 200, 200, []), [{ left: 61, top: 52, width: 30, height: 16 }]);
  assert.deepEqual(placeLabels([{ x: 50, y: 60, width: 300 }], 200, 200, []), [null]);
});

test("numbers are written as people read them", async () => {
  const { banded, decimals, differenceText, plainly, readable, shown, withUnit } = await loadModule("page/numbers"),
    { uncapitalised } = await loadModule("page/dom");
  assert.deepEqual(
    [readable(37.3717, "\u00b0"), readable(37.3717, "deg"), readable(54.2, "percent"), readable(-1e-15, "mm")],
    ["37\u00b0", "37\u00b0", "54 %", "0.0 mm"],
  );
  assert.deepEqual(
    [readable(0.0247, "MPa"), readable(-0.00312, "N"), readable(0, "MPa"), readable(0.0247, "mm")],
    ["0.025 MPa", "\u22120.0031 N", "0.00 MPa", "0.02 mm"],
  );
  assert.deepEqual([readable(-2.5), readable(NaN, "mm"), readable(null)], ["\u22122.50", "none", "none"]);
  // lengths show that they are not 0, unless nothing is meant
  assert.deepEqual([0.1, 0.094, 0.0007, 0.0004, -3, 12.34].map((x) => readable(x, "mm")), ["0.1 mm", "0.09 mm", "0.001 mm", "0.0 mm", "\u22123.0 mm", "12.3 mm"]);
  assert.deepEqual([812.4, 81.24, 8.124].map((x) => readable(x, "mm\u00b2")), ["812 mm\u00b2", "81.2 mm\u00b2", "8.12 mm\u00b2"]);
  assert.deepEqual([readable(9.94, "%"), readable(9.96, "%"), readable(-0.4, "deg")], ["9.9 %", "10 %", "0\u00b0"]);
  // tables also count: 45 poses, no 45.0
  assert.deepEqual([plainly(45), plainly(0.2), plainly(0.204), plainly(3, "mm"), plainly(-7)], ["45", "0.20", "0.20", "3.0", "\u22127"]);
  assert.deepEqual(
    [banded(133.9, [129.6, 137.4], "deg"), banded(4.6, [-6.1, 14.8], "\u00b0"), banded(7.8, null, "mm"), banded(null, [1, 2], "deg")],
    ["134\u00b0 (130\u2013137\u00b0)", "5\u00b0 (\u22126 to 15\u00b0)", "7.8 mm", "none"],
  );
  // what differs by less than is shown differs by nothing
  assert.deepEqual(
    [differenceText(134.4, 133.6, "deg"), differenceText(134.6, 133.4, "deg"), differenceText(7.8, 8.04, "mm"), differenceText(0.196, 0.189)],
    ["0", "+2", "\u22120.2", "+0.01"],
  );
  // as C rounds: halves of what is scaled go away from 0
  assert.deepEqual([shown(1.45, "mm"), shown(-2.5, "deg"), decimals(0.05, "MPa")], [1.5, -3, 3]);
  assert.deepEqual([withUnit("Zone", ""), withUnit("Depth", "mm")], ["Zone", "Depth (mm)"]);
  assert.deepEqual([uncapitalised("FADIR: near"), uncapitalised("Depth")], ["FADIR: near", "depth"]);
});

test("a page opens seated where that goes into something, else at the first limit, else at the highest value", async () => {
  const { firstChoices } = await loadModule("store");
  const motion = (name, depths, contact) => ({
    name,
    poses: [[], [], []],
    along: { values: [0, 10, 20] },
    curves: depths ? [{ values: depths }] : [],
    contact: contact === null ? null : { angle_deg: contact },
  });
  const place = (...motions) => {
    const { motion: at, step } = firstChoices(motions, "", []);
    return [at, step];
  };
  assert.deepEqual(place(motion("stand_to_sit", [0, 0, 3], null), motion("flexion", null, 10)), [0, 2]);
  assert.deepEqual(place(motion("impingement_test", [0, 0, 3], null), motion("flexion", null, 10)), [0, 2]);
  assert.deepEqual(place(motion("stand_to_sit", [0, 0, 0], null), motion("flexion", null, 10)), [1, 1]);
  assert.deepEqual(place(motion("gain_by_depth", [0, 5, 7], null), motion("flexion", null, 10)), [1, 0]); // a cut, uncovered
  assert.deepEqual(place(motion("walking", [1, 7, null], null)), [0, 1]);
  assert.deepEqual(place(motion("flexion", null, null)), [0, 0]);
  assert.deepEqual(place(), [0, 0]);
});

test("a page opens where what was found is shown, and a motion at its limit", async () => {
  const { firstChoices, limitStep } = await loadModule("store");
  const motion = (name, values, contact) => ({
    name,
    poses: values.map(() => []),
    along: { values },
    curves: [],
    contact: contact === null ? null : { angle_deg: contact },
  });
  const motions = [motion("flexion", [0, 10, 20], 10), motion("rotation", [0, 0, 0, 5, 9], 9)];
  const { motion: at, step } = firstChoices(motions, "", [], "rotation");
  assert.deepEqual([at, step], [1, 4]);
  assert.equal(firstChoices(motions, "", [], "unknown").motion, 0);
  // Led into flexion first, where the slider stands at 0: that is not where a rotation of 0 ends.
  assert.equal(limitStep(motion("stopped", [0, 0, 0, 0], 0)), 3);
});

test("scale bars have round lengths, and views are named by anatomy", async () => {
  const { roundLength, viewWords } = await loadModule("scene/overlay");
  assert.deepEqual([99, 50, 49, 23, 19.9, 1, 0.7].map(roundLength), [50, 50, 20, 20, 10, 1, 0.5]);
  const from = (x, y, z) => ({ clone: () => ({ normalize: () => ({ x, y, z }) }) });
  assert.equal(viewWords({ side: "right" }, from(0, 0, -1)), "seen from anterior");
  assert.equal(viewWords({ side: "right" }, from(0.8, 0, 0.6)), "seen from lateral and posterior");
  assert.equal(viewWords({ side: "left" }, from(0.8, 0.6, 0)), "seen from medial and superior");
  assert.equal(viewWords({ side: "left", looks: [] }, from(1, 0, 0)), "");
});

test("vectors come back, and a body is where they put it", async () => {
  const { decodeVectors, lengthsOf } = await loadModule("scene/decode"),
    { placesAt } = await loadModule("scene/deform");
  const vectors = { name: "u", blob: "b", steps: 2, step: 0.5, longest: 3, motion: "m", displaces: true },
    zigzag = (x) => ((x << 1) ^ (x >> 31)) & 0xffff;
  // two vertices: x, y, z of the first step, then the changes; the last is unknown
  const stored = [0, 0, 0, 0, 0, 0, 2, -32768, 4, -32768, 4, -32768],
    bytes = new Uint8Array(Uint16Array.from(stored, zigzag).buffer);
  const values = decodeVectors(bytes, vectors, 2);
  assert.deepEqual([...values], [0, 0, 0, 0, 0, 0, 1, 2, 2, NaN, NaN, NaN]);
  assert.deepEqual([...lengthsOf(values)], [0, 0, 3, NaN]);
  assert.throws(() => decodeVectors(bytes, vectors, 3), /wrong length/);
  const part = { body: { vectors: [vectors] }, rest: Float32Array.of(1, 1, 1, 5, 5, 5), vectors: new Map([[vectors, values]]) };
  assert.deepEqual([...placesAt(part, "m", 1)].slice(0, 3), [2, 3, 3]);
  assert.deepEqual([...placesAt(part, "other", 1)], [1, 1, 1, 5, 5, 5]);
});

test("a force that presses on a body is drawn outside of it", async () => {
  const { arrowStart } = await loadModule("scene/arrows"),
    places = [0, 0, 0, 1, 2, 3],
    up = [0, 0, 0, 0, 0, 1];
  assert.deepEqual(arrowStart(places, up, 3, { x: 0.5, y: 0, z: 2 }, false), [1, 2, 3]);
  assert.deepEqual(arrowStart(places, up, 3, { x: 0.5, y: 0, z: -2 }, false), [0.5, 2, 5]);
  assert.deepEqual(arrowStart(places, up, 3, { x: 0.5, y: 0, z: -2 }, true), [1, 2, 3]); // a way begins where it began
});

test("an address shows what it names, as far as the report has it", async () => {
  const { readState, readLook } = await loadModule("page/address"),
    motions = [{ name: "flexion", poses: [[], []] }];
  assert.deepEqual(readState("#motion=flexion&step=1&cut=neck&at=-2.5&field=depth", motions, ["depth"]), {
    motion: 0,
    step: 1,
    clip: "neck",
    clipAt: -2.5,
    field: "depth",
  });
  const matrix = [1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, -7];
  assert.deepEqual(readState(`#pose=${matrix.join("+")}&label=Here`, motions, []), { pose: { matrix, label: "Here" } });
  // the digits that an address has are of a rotation again, as the viewer wants it; no other matrix is taken
  const [c, s] = [Math.cos(2.44), Math.sin(2.44)].map((x) => Number(x.toFixed(6))),
    turned = readState(`#pose=1+0+0+5+0+${c}+${-s}+6+0+${s}+${c}+7`, motions, []).pose.matrix;
  for (const [i, j] of [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]]) {
    const product = [0, 1, 2].reduce((sum, k) => sum + turned[4 * i + k] * turned[4 * j + k], 0);
    assert.ok(Math.abs(product - (i === j)) < 1e-15, `rows ${i} and ${j}: ${product}`);
  }
  assert.ok(Math.abs(turned[5] - c) < 1e-5 && turned[11] === 7);
  for (const wrong of ["2 0 0 0 0 1 0 0 0 0 1 0", "1 0 0 0 0 1 0 0 0 0 -1 0", "0 0 0 0 0 0 0 0 0 0 0 0"])
    assert.deepEqual(readState(`#pose=${wrong.replaceAll(" ", "+")}`, motions, []), {}, wrong);
  for (const hash of ["", "#", "#motion=flexion", "#motion=other&step=0", "#motion=flexion&step=2", "#motion=flexion&step=-1", "#pose=1+2", "#cut=x", "#field=x"])
    assert.deepEqual(readState(hash, motions, ["depth"]), {}, hash);
  assert.deepEqual(readLook("#look=1+2+3+4+5+6.5").map((v) => v.toArray()), [
    [1, 2, 3],
    [4, 5, 6.5],
  ]);
  assert.equal(readLook("#look=1+2+x+4+5+6"), null);
});
