/* What needs no browser: numbers, colours, tables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeReport, pose } from "./fixture.mjs";
import { loadModule } from "./modules.mjs";

test("surfaces and fields come back as they were, to half a step", async () => {
  const { decodeSurface, decodeField } = await loadModule("decode");
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
  const { decodeSurface, decodeField } = await loadModule("decode");
  const mesh = { blob: "b", vertices: 1, triangles: 1, origin: [0, 0, 0], step: 1 };
  assert.throws(() => decodeSurface(new Uint8Array(17), mesh, [0, 0, 0]), /wrong length/);
  const bytes = new Uint8Array(18);
  bytes[6] = 4; // an index of 2
  assert.throws(() => decodeSurface(bytes, mesh, [0, 0, 0]), /vertex that it does not have/);
  assert.throws(() => decodeField(new Uint8Array(3), { blob: "b", steps: 1 }, 1), /wrong length/);
});

test("colours grow lighter with the value, so that they read without colour vision", async () => {
  const { colorAt, TRANSFERS } = await loadModule("colors");
  const linear = (c) => ((c /= 255), c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const lightness = ([r, g, b]) => 116 * Math.cbrt(0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)) - 16;
  for (const { value } of TRANSFERS) {
    const steps = Array.from({ length: 101 }, (_, i) => lightness(colorAt(value, i / 100)));
    if (value === "threshold") {
      assert.equal(new Set(steps).size, 2);
      assert.ok(Math.abs(steps[0] - steps[100]) > 20);
    } else steps.forEach((l, i) => assert.ok(i === 0 || l >= steps[i - 1] - 0.6, `${value} at ${i}`));
    if (value === "viridis" || value === "cividis") {
      const slopes = Array.from({ length: 10 }, (_, i) => steps[10 * i + 10] - steps[10 * i]);
      assert.ok(Math.max(...slopes) < 2 * Math.min(...slopes), `${value} is even: ${slopes.map((x) => x.toFixed(1))}`);
    }
  }
});

test("joint angles give the pose that the motions have", async () => {
  const { hipPose } = await loadModule("hip-pose");
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
  const { coarseIndices } = await loadModule("coarse");
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

test("curves are resampled by straight lines, with gaps kept", async () => {
  const { resampled } = await loadModule("compare-numbers");
  assert.deepEqual(resampled([0, 10, 20], [0, 1, 4], [0, 5, 10, 15, 20, 25]), [0, 0.5, 1, 2.5, 4, null]);
  assert.deepEqual(resampled([0, -10, -20], [0, 1, 4], [-5, -20, 5]), [0.5, 4, null]);
  assert.deepEqual(resampled([0, 10, 20], [0, null, 4], [0, 5, 10, 15, 20]), [0, null, null, null, 4]);
  assert.deepEqual(resampled([], [], [1]), [null]);
});

test("steps of a motion are put in the order that plots want", async () => {
  const { sortedSteps } = await loadModule("curves");
  assert.deepEqual(sortedSteps([0, 5, 10]), { order: [0, 1, 2], x: [0, 5, 10], byNumber: false });
  assert.deepEqual(sortedSteps([0, -5, -10]), { order: [2, 1, 0], x: [-10, -5, 0], byNumber: false });
  assert.deepEqual(sortedSteps([0, 5, 0]), { order: [0, 1, 2], x: [0, 1, 2], byNumber: true });
});

test("hours are written as on a clock", async () => {
  const { clockTime } = await loadModule("clock");
  const hours = [1.5, 12.25, 0, 12, 11.999, 8, 12.7].map(clockTime);
  assert.deepEqual(hours, ["1:30", "12:15", "12:00", "12:00", "12:00", "8:00", "12:45"]);
});

test("of requests that wait only the last is sent", async () => {
  const { LatestWins } = await loadModule("latest-wins");
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

test("a motion without an angle is shown by its state, also in a comparison", async () => {
  const { whyNot } = await loadModule("ranges"),
    { numbersTable } = await loadModule("compare-numbers");
  const none = { low: null, high: null, source: null, group: "motion" },
    range = (value, why_not) => ({ name: "fadir", label: "FADIR", unit: "\u00b0", value, why_not, ...none });
  assert.equal(whyNot(range(null, "no free pose")), "no free pose");
  assert.equal(whyNot({ ...range(null, "no fossa"), group: "measure" }), "not known: no fossa");
  const states = ["no free pose", "no stop within 360\u00b0"],
    ranges = [...states.map((state) => range(null, state)), range(30, null)];
  const [row] = numbersTable(ranges.map((each, i) => ({ title: `${i}`, ranges: [each] }))).rows;
  assert.deepEqual([row.v0, row.v1, row.v2, row.d1, row.d2], [...states, 30, null, null]);
});

test("published ranges are written briefly, and what lies below or above is known as it is printed", async () => {
  const { rangeText, side } = await loadModule("ranges");
  const range = (value, low, high, unit) => ({ value, low, high, unit });
  assert.equal(rangeText(range(1, 32, 62, "\u00b0")), "32 to 62\u00b0");
  assert.equal(rangeText(range(1, 109.2, 132.8, "deg")), "109.2 to 132.8\u00b0");
  assert.equal(rangeText(range(1, 0.17, null, "")), "from 0.17");
  assert.equal(rangeText(range(1, null, -4.5, "mm")), "up to \u22124.5 mm");
  assert.equal(rangeText(range(1, null, null, "mm")), "");
  assert.deepEqual(
    [range(31, 32, 62), range(32, 32, 62), range(63, 32, 62), range(0.1, 0.17, null), range(null, 1, 2)].map(side),
    ["below", null, "above", "below", null],
  );
  assert.deepEqual(
    [range(134.04, 123, 134, "deg"), range(134.06, 123, 134, "deg"), range(7.36, 7.4, 20, "deg")].map(side),
    [null, "above", null],
  );
});

test("a few extreme poses do not flatten the colours of the envelope", async () => {
  const { envelopeRange, envelopeColor } = await loadModule("envelope-range");
  const internal = [Array.from({ length: 100 }, (_, i) => i), [-500, 900, null]];
  const range = envelopeRange([{ internal, external: [[null]] }], "internal");
  assert.ok(range.low >= 0 && range.low <= 3 && range.high >= 96 && range.high <= 99, JSON.stringify(range));
  assert.ok(range.below && range.above);
  assert.equal(envelopeColor(900, range), envelopeColor(range.high, range));
  assert.equal(envelopeColor(-500, range), envelopeColor(range.low, range));
  assert.equal(envelopeColor(null, range), null);
  const even = envelopeRange([{ internal: [[5, 5]], external: [] }], "internal");
  assert.deepEqual(even, { low: 5, high: 6, below: false, above: false });
  assert.deepEqual(envelopeRange([{ internal: [[null]] }], "internal"), { low: 0, high: 1, below: false, above: false });
});

test("numbers are written as people read them", async () => {
  const { readable, withUnit, uncapitalised } = await loadModule("dom");
  assert.deepEqual(
    [readable(37.3717, "\u00b0"), readable(37.3717, "deg"), readable(54.2, "percent"), readable(-1e-15, "mm")],
    ["37.4\u00b0", "37.4\u00b0", "54.2 %", "0.00 mm"],
  );
  assert.deepEqual([readable(-2.5), readable(NaN, "mm"), readable(null)], ["\u22122.50", "none", "none"]);
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
  assert.deepEqual(place(motion("walking", [1, 7, null], null)), [0, 1]);
  assert.deepEqual(place(motion("flexion", null, null)), [0, 0]);
  assert.deepEqual(place(), [0, 0]);
});
